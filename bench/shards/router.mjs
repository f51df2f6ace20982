// A router over two real servers that sends commands where mongos would, and counts those that ask all shards.
// What it does not imitate: a transaction on two shards is committed on one after the other, not in two phases, and its
// snapshots are not of one instant; chunks never move; a grouping over all shards is made on the first one, of all rows it reads.
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import mongoose from 'mongoose';
import { statementsOf } from '../../scripts/sharding.mjs';
import { answerTo, onMessages, openLink, plainOf, readRequest } from './wire.mjs';

const { Long, Int32 } = mongoose.mongo;

/** Commands for all shards, about no documents. */
const EVERYWHERE = new Set([
  ...['create', 'createIndexes', 'drop', 'dropDatabase', 'dropIndexes', 'collMod', 'endSessions'],
]);
const LISTS = { insert: 'documents', update: 'updates', delete: 'deletes' };
const NAMESPACE_NOT_FOUND = 26;
const SORT_KEY = '__sortKey';
const FIRST_BATCH = 101;

const shardOf = (value) =>
  createHash('sha1')
    .update(JSON.stringify(value ?? null))
    .digest()[0] % 2;

const HELLO = {
  ...{ ismaster: true, isWritablePrimary: true, helloOk: true, msg: 'isdbgrid', readOnly: false },
  ...{ maxBsonObjectSize: 16_777_216, maxMessageSizeBytes: 48_000_000, maxWriteBatchSize: 100_000 },
  ...{ logicalSessionTimeoutMinutes: 30, minWireVersion: 0, maxWireVersion: 17, ok: 1 },
};

const refusal = (errmsg) => ({ ok: 0, errmsg, code: 61, codeName: 'ShardKeyNotFound' });

/** The order of values of different types. */
const RANK = { undefined: 0, null: 0, number: 1, string: 2, object: 3, boolean: 4, date: 5 };
const rankOf = (value) => RANK[value === null ? 'null' : value instanceof Date ? 'date' : typeof value];

function compareKeys(a, b, directions) {
  for (const [at, direction] of directions.entries()) {
    const [one, two] = [a[at], b[at]];
    const order = rankOf(one) - rankOf(two) || (one < two ? -1 : one > two ? 1 : 0);
    if (order !== 0) return order * Math.sign(direction);
  }
  return 0;
}

/** An answer as a client of the router may see it: without the times of one set of servers. */
function withoutTimes({ $clusterTime: _cluster, operationTime: _operation, ...answer }) {
  return answer;
}

/** A client's command for a shard. */
function forwarded({ $clusterTime: _cluster, ...command }) {
  const { afterClusterTime: _after, ...concern } = command.readConcern ?? {};
  if (command.readConcern === undefined) return command;
  return { ...command, readConcern: Object.keys(concern).length > 0 ? concern : undefined };
}

const transactionOf = ({ lsid, txnNumber }) => `${lsid.id.buffer.toString('hex')} ${txnNumber}`;

/**
 * Starts a router.
 * @param ports of the shards
 * @param keys the shard key of each collection
 * @param note called with each statement: its collection, its command, its filter, and whether it asked one shard, some or all
 */
export async function startRouter({ ports, keys, note }) {
  /** Shards of open cursors, and what is left of the router's own. */
  const cursors = new Map();
  /** What each open transaction began with, and on which shards. */
  const transactions = new Map();
  const counts = { transactions: 0, onTwoShards: 0 };
  const databases = new Map();

  /**
   * Makes the collections of a database on all shards, as dividing them does: one that a transaction makes can keep it from being
   * committed on one shard after it was on the other.
   */
  async function makeCollections($db) {
    const links = ports.map(openLink);
    for (const create of keys.keys()) await Promise.all(links.map((link) => link.ask({ create, $db })));
    links.forEach((link) => link.close());
  }

  function clientOf(socket) {
    const links = [];
    const linkOf = (shard) => (links[shard] ??= openLink(ports[shard]));

    /** Sends a command to one shard, as the first of its transaction there if it is. */
    async function send(shard, command) {
      const { startTransaction: _start, ...rest } = command;
      if (rest.autocommit !== undefined && !('commitTransaction' in rest) && !('abortTransaction' in rest)) {
        const known = transactions.get(transactionOf(command));
        const isFirst = known !== undefined && !known.shards.has(shard);
        known?.shards.add(shard);
        const { readConcern: _concern, ...later } = rest;
        command = isFirst ? { ...later, readConcern: known.readConcern, startTransaction: true } : later;
      }
      return withoutTimes(await linkOf(shard).ask(command));
    }

    const sendToAll = (command) => Promise.all(ports.map((_, shard) => send(shard, command)));
    const failed = (answers) => answers.find(({ ok }) => Number(ok) !== 1);

    /** A cursor of a shard, read to its end. */
    async function drain(shard, command, collection) {
      const first = await send(shard, command);
      if (Number(first.ok) !== 1) return first;
      const rows = [...first.cursor.firstBatch];
      let { id } = first.cursor;
      const { lsid, txnNumber, autocommit, $db } = command;
      while (id.toString() !== '0') {
        const next = await send(shard, {
          ...{ getMore: id, collection, lsid, $db },
          ...(autocommit !== undefined && { txnNumber, autocommit }),
        });
        if (Number(next.ok) !== 1) return next;
        rows.push(...next.cursor.nextBatch);
        ({ id } = next.cursor);
      }
      return { ok: 1, rows };
    }

    /** The first rows of a list as an answer; the rest wait under a cursor of the router's own. */
    function page(ns, rows, size, name = 'firstBatch') {
      const batch = rows.splice(0, size);
      let id = Long.ZERO;
      if (rows.length > 0) {
        id = Long.fromBigInt(BigInt(`0x${randomBytes(7).toString('hex')}`));
        cursors.set(id.toString(), { ns, rows });
      }
      return { cursor: { [name]: batch, id, ns }, ok: 1 };
    }

    async function findOnAll(exact, plain, collection) {
      const { skip = 0, limit = 0, batchSize = FIRST_BATCH, sort = {} } = plain;
      const { skip: _skip, batchSize: _size, singleBatch: _single, ...command } = exact;
      const most = limit === 0 ? undefined : new Int32(Math.abs(limit) + skip);
      const projection = { ...exact.projection, [SORT_KEY]: { $meta: 'sortKey' } };
      const isSorted = Object.keys(sort).length > 0;
      const whole = { ...command, limit: most, ...(isSorted && { projection }) };
      const parts = await Promise.all(ports.map((_, shard) => drain(shard, whole, collection)));
      if (failed(parts)) return failed(parts);
      let rows = parts.flatMap((part) => part.rows);
      if (isSorted) {
        const directions = Object.values(sort).map(Number);
        const known = rows.map((row) => ({ row, key: Object.values(plainOf({ key: row[SORT_KEY] }).key) }));
        known.sort((a, b) => compareKeys(a.key, b.key, directions));
        rows = known.map(({ row: { [SORT_KEY]: _key, ...row } }) => row);
      }
      rows = limit === 0 ? rows.slice(skip) : rows.slice(skip, skip + Math.abs(limit));
      return page(`${plain.$db}.${collection}`, rows, limit === 0 ? batchSize || FIRST_BATCH : rows.length);
    }

    /** Reads what the first step matches on all shards, and does the other steps on the first. */
    async function aggregateOnAll(exact, plain, collection) {
      const isMatch = '$match' in (plain.pipeline[0] ?? {});
      const first = isMatch ? exact.pipeline.slice(0, 1) : [];
      const { hint: _hint, ...command } = exact;
      const parts = await Promise.all(
        ports.map((_, shard) => drain(shard, { ...exact, pipeline: first, cursor: {} }, collection)),
      );
      if (failed(parts)) return failed(parts);
      const rows = parts.flatMap((part) => part.rows);
      const name = `router_${randomBytes(6).toString('hex')}`;
      const { $db } = plain;
      for (let at = 0; at < rows.length; at += 500)
        await linkOf(0).ask({ insert: name, documents: rows.slice(at, at + 500), $db });
      const pipeline = exact.pipeline.slice(first.length);
      const {
        lsid: _lsid,
        txnNumber: _number,
        autocommit: _commit,
        readConcern: _concern,
        ...free
      } = command;
      const { startTransaction: _start, ...rest } = free;
      const result = await linkOf(0).ask({
        ...rest,
        aggregate: name,
        pipeline,
        cursor: { batchSize: new Int32(100_000) },
      });
      await linkOf(0).ask({ drop: name, $db });
      if (Number(result.ok) !== 1) return withoutTimes(result);
      return page(`${$db}.${collection}`, result.cursor.firstBatch, plain.cursor?.batchSize ?? FIRST_BATCH);
    }

    async function countOnAll(exact) {
      const parts = await sendToAll(exact);
      return failed(parts) ?? { n: parts.reduce((sum, { n }) => sum + Number(n), 0), ok: 1 };
    }

    /** Sends each shard its statements of a write. */
    async function write(exact, name, targets) {
      const list = LISTS[name];
      const parts = await Promise.all(
        ports.map(async (_, shard) => {
          const indexes = targets.flatMap((shards, index) => (shards.includes(shard) ? [index] : []));
          if (indexes.length === 0) return null;
          const statements = indexes.map((index) => exact[list][index]);
          return { indexes, answer: await send(shard, { ...exact, [list]: statements }) };
        }),
      );
      const answers = parts.filter((part) => part !== null);
      const bad = failed(answers.map(({ answer }) => answer));
      if (bad) return bad;
      const sum = (field) => answers.reduce((total, { answer }) => total + Number(answer[field] ?? 0), 0);
      const all = (field) =>
        answers.flatMap(({ indexes, answer }) =>
          (answer[field] ?? []).map((entry) => ({
            ...entry,
            index: new Int32(indexes[Number(entry.index)]),
          })),
        );
      const [writeErrors, upserted] = [all('writeErrors'), all('upserted')];
      return {
        ...{ n: new Int32(sum('n')), ...(name === 'update' && { nModified: new Int32(sum('nModified')) }) },
        ...(writeErrors.length > 0 && { writeErrors }),
        ...(upserted.length > 0 && { upserted }),
        ok: 1,
      };
    }

    async function endTransaction(exact) {
      const name = transactionOf(exact);
      const shards = [...(transactions.get(name)?.shards ?? [])];
      if ('commitTransaction' in exact) {
        counts.transactions += 1;
        if (shards.length > 1) counts.onTwoShards += 1;
      }
      const answers = [];
      for (const shard of shards) answers.push(await send(shard, exact));
      if ('abortTransaction' in exact) transactions.delete(name);
      return failed(answers) ?? answers[0] ?? { ok: 1 };
    }

    async function goOn(exact, plain) {
      const id = exact.getMore.toString();
      const cursor = cursors.get(id);
      if (cursor?.shard !== undefined) return keepCursor(await send(cursor.shard, exact), cursor.shard);
      if (cursor === undefined)
        return { ok: 0, code: 43, codeName: 'CursorNotFound', errmsg: 'no such cursor' };
      const batch = cursor.rows.splice(0, plain.batchSize || FIRST_BATCH);
      if (cursor.rows.length === 0) cursors.delete(id);
      return {
        cursor: { nextBatch: batch, id: cursor.rows.length > 0 ? exact.getMore : Long.ZERO, ns: cursor.ns },
        ok: 1,
      };
    }

    async function endCursors(exact) {
      for (const id of exact.cursors) {
        const { shard } = cursors.get(id.toString()) ?? {};
        cursors.delete(id.toString());
        if (shard !== undefined) await send(shard, { ...exact, cursors: [id] });
      }
      return {
        cursorsKilled: exact.cursors,
        cursorsNotFound: [],
        cursorsAlive: [],
        cursorsUnknown: [],
        ok: 1,
      };
    }

    function keepCursor(answer, shard) {
      const id = answer.cursor?.id;
      if (id !== undefined && id.toString() !== '0') cursors.set(id.toString(), { shard });
      return answer;
    }

    /** The shard that a command asks, if it asks one; otherwise the first. */
    function shardAsked(command) {
      const [name = ''] = Object.keys(command);
      const key = keys.get(command[name]) ?? null;
      const [statement] = key === null ? [] : statementsOf(name, command, key);
      return statement?.values?.length === 1 ? shardOf(statement.values[0]) : 0;
    }

    /** A command about documents. */
    async function route(name, exact, plain) {
      const collection = plain[name];
      const key = keys.get(collection) ?? null;
      const statements = statementsOf(name, plain, key ?? '');
      const all = ports.map((_, shard) => shard);
      const targets = statements.map(({ values }) =>
        key === null ? [0] : values === null ? all : [...new Set(values.map(shardOf))],
      );
      for (const [index, { filter, values, isWrite, refusal: why }] of statements.entries()) {
        const how = key === null || values?.length === 1 ? 'one' : values === null ? 'all' : 'some';
        const isOurs =
          isWrite || plain.maxTimeMS !== undefined || (name === 'count' && plain.query === undefined);
        note({
          collection,
          name,
          filter,
          how,
          isWrite,
          isOurs,
          refusal: key === null ? null : why,
          shards: targets[index].length,
        });
        if (key !== null && why !== null) return refusal(`${why}: ${collection} ${Object.keys(filter)}`);
      }
      if (name in LISTS) return write(exact, name, targets);
      const [shards = [0]] = targets;
      if (shards.length === 1) return keepCursor(await send(shards[0], exact), shards[0]);
      if (shards.length === 0) return keepCursor(await send(0, exact), 0);
      if (name === 'find') return findOnAll(exact, plain, collection);
      if (name === 'count') return countOnAll(exact);
      if (name === 'aggregate') return aggregateOnAll(exact, plain, collection);
      return refusal(`${name} on all shards is not imitated`);
    }

    async function everywhere(exact) {
      const answers = await sendToAll(exact);
      const bad = answers.filter(({ ok }) => Number(ok) !== 1);
      const isGone =
        bad.length < answers.length && bad.every(({ code }) => Number(code) === NAMESPACE_NOT_FOUND);
      return isGone ? answers.find(({ ok }) => Number(ok) === 1) : (bad[0] ?? answers[0]);
    }

    async function answer({ exact: received, plain }) {
      const exact = forwarded(received);
      const [name] = Object.keys(plain);
      if (/^(hello|ismaster)$/i.test(name)) return { ...HELLO, localTime: new Date() };
      if (name === 'commitTransaction' || name === 'abortTransaction') return endTransaction(exact);
      if (plain.startTransaction === true) {
        transactions.set(transactionOf(exact), { shards: new Set(), readConcern: exact.readConcern });
      }
      if (name === 'getMore') return goOn(exact, plain);
      if (name === 'killCursors') return endCursors(exact);
      if (name === 'createIndexes') {
        if (!databases.has(plain.$db)) databases.set(plain.$db, makeCollections(plain.$db));
        await databases.get(plain.$db);
      }
      if (name === 'dropDatabase') databases.delete(plain.$db);
      if (EVERYWHERE.has(name)) return everywhere(exact);
      if (name === 'explain') return keepCursor(await send(shardAsked(plain.explain), exact), 0);
      if (statementsOf(name, plain, '').length > 0) return route(name, exact, plain);
      return keepCursor(await send(0, exact), 0);
    }

    let turn = Promise.resolve();
    onMessages(socket, (bytes) => {
      const request = readRequest(bytes);
      turn = turn
        .then(() => answer(request))
        .catch((error) => ({ ok: 0, code: 8, codeName: 'UnknownError', errmsg: `router: ${error.stack}` }))
        .then((document) => {
          if (request.waits && !socket.destroyed) socket.write(answerTo(request, document));
        });
    });
    socket.on('error', () => undefined);
    socket.on('close', () => links.forEach((link) => link.close()));
  }

  const server = createServer((socket) => {
    socket.setNoDelay(true);
    clientOf(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: server.address().port, counts, close: () => void server.close() };
}
