@rem npm start ends in "exec node …": in sh, node takes the place of the shell and so gets its signals.
@rem cmd has no such word, and runs this file, which runs node.
@%*
