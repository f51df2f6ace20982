import type { CommandStartedEvent } from 'mongodb';
import type { Connection } from 'mongoose';
import type { Migration } from '#models/store/migrations/run.server.ts';
import { readShardKeys, statementsOf } from '../../scripts/sharding.mjs';

/** A statement by its collection and the fields of its filter. */
const described = (collection: string, filter: object) =>
  `${collection}: ${Object.keys(filter).sort().join(', ')}`;

/** Watches what a sharded cluster would make of the driver's commands, by the shard keys in `docs/databases.md`. */
export class ShardWatch {
  readonly #keys = readShardKeys();
  /** Collections without a line in the table. */
  readonly unknown = new Set<string>();
  /** Writes that would ask all shards, or that a cluster refuses. */
  readonly writes = new Set<string>();
  /** Reads that would ask all shards. */
  readonly reads = new Set<string>();
  /** Those of them that say neither how many rows they want nor whose. */
  readonly growing = new Set<string>();
  /** How many statements there were, and how many of them named their shard. */
  readonly counts = { all: 0, targeted: 0 };

  /** Notes a command of the driver. */
  readonly note = ({ commandName, command }: Pick<CommandStartedEvent, 'commandName' | 'command'>): void => {
    const collection = String(command[commandName]);
    const key = this.#keys.get(collection) ?? null;
    for (const { filter, values, isWrite, refusal } of statementsOf(commandName, command, key ?? '')) {
      if (!this.#keys.has(collection)) this.unknown.add(collection);
      this.counts.all += 1;
      if (key === null || (values !== null && refusal === null)) this.counts.targeted += 1;
      else if (isWrite) this.writes.add(described(collection, filter));
      else {
        const text = described(collection, filter);
        this.reads.add(text);
        const isBounded = typeof command['limit'] === 'number' || 'userId' in filter;
        if (commandName === 'find' && !isBounded) this.growing.add(text);
      }
    }
  };
}

/** The same migration, which fails if one of its writes names no shard. The connection's commands have to be monitored. */
export const namingShards = (connection: Connection, migration: Migration): Migration => ({
  ...migration,
  async step(of, cursor) {
    const watch = new ShardWatch();
    const client = connection.getClient();
    client.on('commandStarted', watch.note);
    const step = await migration.step(of, cursor).finally(() => client.off('commandStarted', watch.note));
    if (watch.writes.size > 0) throw new Error(`writes that name no shard: ${[...watch.writes].join('; ')}`);
    return step;
  },
});
