;; SPDX-License-Identifier: GPL-3.0-or-later
;; Guix as it was when 1.4.0 was released, 18 December 2022: with this every package of
;; guix-manifest.scm is the same, bit for bit, on every machine.
(list (channel
       (name 'guix)
       (url "https://git.savannah.gnu.org/git/guix.git")
       (branch "master")
       (commit "8e2f32cee982d42a79e53fc1e9aa7b8ff0514714")
       (introduction
        (make-channel-introduction
         "9edb3f66fd807b096b48283debdcddccfea34bad"
         (openpgp-fingerprint
          "BBB0 2DDF 2CEA F6A8 0D1D  E643 A2A0 6DF2 A33A 54FA")))))
