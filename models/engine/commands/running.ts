import { turn, type Budget } from '../budget.ts';
import { EngineError } from '../errors.ts';
import type { Client } from '../wire/connection.ts';
import type { Session } from './sessions.ts';

/** A command under way, as `currentOp` tells it. */
export interface Running {
  /** What `killOp` calls it by. */
  id: number;
  command: string;
  ns: string;
  client: Client;
  session: Session | null;
  /** `performance.now()` when it began. */
  since: number;
  budget: Budget;
}

/** The commands that are under way. */
export class RunningCommands {
  readonly #all = new Map<number, Running>();
  #lastId = 0;

  get size(): number {
    return this.#all.size;
  }

  all(): Running[] {
    return [...this.#all.values()];
  }

  /** Counts a command in; the returned function counts it out. */
  begin(command: Omit<Running, 'id' | 'since'>): () => void {
    this.#lastId += 1;
    const id = this.#lastId;
    this.#all.set(id, { ...command, id, since: performance.now() });
    return () => this.#all.delete(id);
  }

  /** Ends a command at its next step; false when there is none of this number. */
  end(id: number): boolean {
    const running = this.#all.get(id);
    running?.budget.end(new EngineError('Interrupted', 'operation was interrupted'));
    return running !== undefined;
  }

  /** Resolves when none is left. */
  async settle(): Promise<void> {
    while (this.size > 0) await turn();
  }
}
