// A process that moves amounts between accounts, each in one transaction of the driver, and prints the number of each move that
// was acknowledged, until it is killed.
// node transaction-writer.mjs BUNDLE_URL DIR NAME CLIENTS
import { writeSync } from 'node:fs';
import process from 'node:process';
import { MongoClient } from 'mongodb';

const [, , url, dir, name, clients] = process.argv;
const { startEngine } = await import(url);
const engine = await startEngine({ dir, log: (entry) => entry.level === 'error' && console.error(entry) });
const client = await new MongoClient(engine.uri).connect();
const accounts = client.db('bank').collection('accounts');
const moves = client.db('bank').collection('moves');
const ACCOUNTS = ['a', 'b', 'c'];

/** Every fifth move is undone at its end. */
async function move(session, _id, step) {
  const from = ACCOUNTS[step % 3];
  const to = ACCOUNTS[(step + 1 + (step % 2)) % 3];
  const amount = 1 + (step % 4);
  const before = await accounts.findOne({ _id: from }, { session });
  await moves.insertOne({ _id, from, to, amount }, { session });
  const balance = (before?.balance ?? 0) - amount;
  await accounts.updateOne({ _id: from }, { $set: { balance } }, { session, upsert: true });
  await accounts.updateOne({ _id: to }, { $inc: { balance: amount } }, { session, upsert: true });
  if (step % 5 === 4) await session.abortTransaction();
}

const mover = (number) =>
  client.withSession(async (session) => {
    for (let step = number; ; step++) {
      const id = `${step % 5 === 4 ? 'undone' : 'done'} ${name}.${process.pid}.${number}.${step}`;
      await session.withTransaction(() => move(session, id, step));
      if (step % 5 !== 4) writeSync(1, `${id}\n`);
    }
  });

await Promise.all(Array.from({ length: Number(clients) }, (_, number) => mover(number)));
