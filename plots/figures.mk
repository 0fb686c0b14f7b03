figure-%: arenabench$(EXEEXT)
	./arenabench$(EXEEXT) report --figures "$*" "$(RESULTS)"
