# The suite: a table a version, the plans that it names, what goes with an export.
suitedir = $(pkgdatadir)/suite
dist_suite_DATA = suite/2026.1.csv suite/README.md
EXTRA_DIST += suite/plans

install-data-local: install-suite-plans
install-suite-plans:
	$(MKDIR_P) '$(DESTDIR)$(suitedir)/plans'
	$(INSTALL_DATA) $(srcdir)/suite/plans/*.csv '$(DESTDIR)$(suitedir)/plans'

uninstall-local: uninstall-suite-plans
uninstall-suite-plans:
	rm -rf '$(DESTDIR)$(suitedir)/plans'
.PHONY: install-suite-plans uninstall-suite-plans
