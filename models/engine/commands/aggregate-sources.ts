import { atOnce } from '../budget.ts';
import { EngineError } from '../errors.ts';
import type { ReadView } from '../storage/index.ts';
import { Binary, isDocument, type Document } from '../values/types.ts';
import type { CommandContext } from './context.ts';
import { wholeNumber } from './numbers.ts';
import { collectionStats } from './statistics.ts';

type Source = (context: CommandContext, view: ReadView, ns: string, value: unknown) => Iterable<Document>;

function currentOp({ engine }: CommandContext): Document[] {
  return engine.running.all().map(({ id, command, ns, client, session, since }) => ({
    type: 'op',
    host: engine.address,
    desc: `conn${client.id}`,
    connectionId: client.id,
    active: true,
    opid: id,
    op: 'command',
    command: { [command]: 1 },
    ns,
    microsecs_running: wholeNumber(Math.round((performance.now() - since) * 1000)),
    ...(session ? { lsid: { id: new Binary(Buffer.from(session.id, 'hex'), Binary.SUBTYPE_UUID) } } : {}),
  }));
}

function statistics(context: CommandContext, view: ReadView, ns: string, asked: unknown): Document[] {
  if (!isDocument(asked)) throw new EngineError(5447000, '$collStats must take a nested object');
  if (!view.collection(ns)) {
    throw new EngineError('NamespaceNotFound', `Collection [${ns}] not found.`);
  }
  const { count, storageStats } = asked;
  return [
    {
      ns,
      host: context.engine.address,
      localTime: context.now,
      ...(storageStats ? { storageStats: atOnce(collectionStats(view, ns)) } : {}),
      ...(count ? { count: wholeNumber(view.count(ns, {})) } : {}),
    },
  ];
}

const NOT_SUPPORTED: Source = () => {
  throw new EngineError(
    40573,
    'The $changeStream stage is not supported: the embedded engine keeps no oplog',
  );
};

const SOURCES: Record<string, Source> = {
  $currentOp: currentOp,
  $collStats: statistics,
  $changeStream: NOT_SUPPORTED,
};

/** True for a stage that makes documents instead of taking them. */
export function isSource(stage: Document | undefined): boolean {
  return stage !== undefined && Object.hasOwn(SOURCES, Object.keys(stage)[0] ?? '');
}

/** The documents of a first stage that reads something else than a collection; null for other stages. */
export function sourceOf(
  context: CommandContext,
  view: ReadView,
  ns: string,
  stage: Document | undefined,
): Iterable<Document> | null {
  if (!stage || !isSource(stage)) return null;
  const [name = '', value] = Object.entries(stage)[0] ?? [];
  return SOURCES[name]?.(context, view, ns, value) ?? null;
}
