import { run, type Steps } from '../../budget.ts';
import { EngineError } from '../../errors.ts';
import type { Writer } from '../env/writer.ts';
import type { WriteView } from '../view/write-view.ts';
import type { Group } from './group.ts';

/**
 * Statements of one client that are stored together or not at all. It holds the writer from its beginning, so it sees its own
 * writes and nobody else's, and all other writes wait for its end. Nothing of it remains when the process ends before.
 */
export class Transaction {
  /** Resolves when others can write again. */
  readonly ended: Promise<void>;
  private end: () => void = () => undefined;
  private isOver = false;

  /** `reasonOf` undoes a transaction that has failed, and says why. */
  constructor(
    private readonly group: Group,
    private readonly writer: Writer,
    private readonly reasonOf: (error: unknown) => Promise<EngineError>,
  ) {
    this.ended = new Promise((resolve) => {
      this.end = () => {
        this.isOver = true;
        resolve();
      };
    });
  }

  /** Reads what the transaction has read and written so far; others cannot change it meanwhile. */
  get view(): WriteView {
    return this.group.view;
  }

  /** Runs one statement. If it fails, the transaction must be undone. */
  async change<T>(steps: (txn: WriteView) => Steps<T>): Promise<T> {
    try {
      return await run(steps(this.view), true);
    } catch (error) {
      if (error instanceof EngineError) throw error;
      throw await this.reasonOf(error);
    }
  }

  /**
   * Resolves when everything is on disk.
   * @throws EngineError with the label `UnknownTransactionCommitResult` when only the flush failed, otherwise nothing was stored
   */
  async commit(): Promise<void> {
    try {
      await this.group.commit();
    } catch (error) {
      const { code, message, extra } = await this.reasonOf(error);
      const labels = this.writer.isUnflushed ? ['UnknownTransactionCommitResult'] : [];
      throw new EngineError(code, message, { extra, labels, cause: error });
    } finally {
      this.end();
    }
  }

  /** Undoes everything, unless it is over. No statement may be running. */
  undo(): void {
    if (this.isOver) return;
    this.writer.rollback();
    this.end();
  }
}
