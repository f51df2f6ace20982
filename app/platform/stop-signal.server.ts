const STOP_SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * For how long after the first signal others count as the same, in ms: a terminal sends Ctrl+C to a program and to what started it, and npm, npx
 * and `vialbook serve` pass it on.
 */
const SAME_SIGNAL_MS = 1000;

/**
 * Calls `stop` once, when the process is told to stop, with the signal's name. A signal that comes more than a second later
 * ends the process at once, for a person who does not want to wait.
 */
export function onStopSignal(stop: (signal: NodeJS.Signals) => void): void {
  let isStopping = false;
  const listen = (signal: NodeJS.Signals) => {
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => STOP_SIGNALS.forEach((name) => process.off(name, listen)), SAME_SIGNAL_MS).unref();
    stop(signal);
  };
  for (const name of STOP_SIGNALS) process.on(name, listen);
}
