#!/bin/sh
# The logs of the units that match the pattern behind -u.
for word; do pattern=$word; done
cat /run/units/$pattern*.log
