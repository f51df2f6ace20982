import type { Io } from './io.ts';

/** A progress bar on stderr; does nothing when stderr is not a terminal, or with `--quiet`. */
export interface Progress {
  /** @param done in the unit of the total @param count items so far */
  readonly update: (done: number, count: number) => void;
  /** Clears the bar's line, to write a message there. */
  readonly clearLine: string;
  readonly stop: () => void;
}

const SILENT: Progress = { update: () => {}, clearLine: '', stop: () => {} };

/**
 * Shows the progress of a long task.
 * @param total the final value of `done`; without it only the count is shown
 * @param items what is counted ("rows")
 */
export async function startProgress(io: Io, items: string, total?: number): Promise<Progress> {
  if (!io.stderrIsTerminal || io.isQuiet) return SILENT;
  const { SingleBar } = (await import('cli-progress')).default;
  const format =
    total === undefined ? `{count} ${items}` : `{bar} {percentage}% · {count} ${items} · {eta_formatted}`;
  const bar = new SingleBar({
    stream: io.stderr as NodeJS.WriteStream,
    format,
    clearOnComplete: true,
    hideCursor: false,
    barsize: 30,
  });
  bar.start(total ?? 0, 0, { count: 0 });
  return {
    update: (done, count) => bar.update(done, { count }),
    clearLine: '\r\u001b[K',
    stop: () => bar.stop(),
  };
}
