import { turn, type Budget } from '../budget.ts';
import { EngineError } from '../errors.ts';
import type { Client } from '../wire/connection.ts';
import type { Session } from './sessions.ts';

/** A running command, as `currentOp` reports it. */
export interface Running {
  /** Its id for `killOp`. */
  id: number;
  command: string;
  ns: string;
  client: Client;
  session: Session | null;
  /** `performance.now()` when it began. */
  since: number;
  budget: Budget;
}

/** The running commands. */
export class RunningCommands {
  readonly #all = new Map<number, Running>();
  #lastId = 0;

  get size(): number {
    return this.#all.size;
  }

  all(): Running[] {
    return [...this.#all.values()];
  }

  /** Adds a command; the returned function removes it. */
  begin(command: Omit<Running, 'id' | 'since'>): () => void {
    this.#lastId += 1;
    const id = this.#lastId;
    this.#all.set(id, { ...command, id, since: performance.now() });
    return () => this.#all.delete(id);
  }

  /** Ends a command at its next step; false when no command has this id. */
  end(id: number): boolean {
    const running = this.#all.get(id);
    running?.budget.end(new EngineError('Interrupted', 'operation was interrupted'));
    return running !== undefined;
  }

  /** Ends the commands of a session (without an id, of all sessions), except the one with this budget. */
  endOf(session: string | undefined, except: Budget): void {
    for (const running of this.#all.values()) {
      const isMatch = running.session && (session ?? running.session.id) === running.session.id;
      if (isMatch && running.budget !== except) this.end(running.id);
    }
  }

  /** Resolves when all commands have finished. */
  async settle(): Promise<void> {
    while (this.size > 0) await turn();
  }
}
