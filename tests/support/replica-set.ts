import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import mongoose, { type mongo } from 'mongoose';
import { mongod } from '../../scripts/mongodb.mjs';

/** A real MongoDB server that only this process uses. */
export interface RealServer {
  /** For `MONGODB_URI`, with a database of its own for each name. */
  uri(database: string): string;
  /** Runs a command on its `admin` database. */
  admin(command: mongo.BSON.Document): Promise<mongo.BSON.Document>;
  dispose(): Promise<void>;
}

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Starts a real MongoDB server: a replica set of one, or a single server without transactions. */
export async function startMongod({ isReplicaSet = true } = {}): Promise<RealServer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'vialbook-mongod-'));
  const host = `127.0.0.1:${await freePort()}`;
  const [bindIp, port] = host.split(':') as [string, string];
  const child = spawn(
    mongod(),
    [
      ...['--dbpath', folder, '--bind_ip', bindIp, '--port', port, '--nounixsocket', '--quiet'],
      // Lets tests have the server fail commands.
      ...['--setParameter', 'enableTestCommands=1', '--wiredTigerCacheSizeGB', '0.25'],
      ...(isReplicaSet ? ['--replSet', 'rs'] : []),
    ],
    { stdio: 'ignore' },
  );
  const ended = once(child, 'exit');
  // One that has just started refuses connections for a while.
  const connection = await mongoose
    .createConnection(`mongodb://${host}/?directConnection=true&serverSelectionTimeoutMS=60000`)
    .asPromise();
  const admin = (command: mongo.BSON.Document) => connection.getClient().db('admin').command(command);
  if (isReplicaSet) {
    await admin({ replSetInitiate: { _id: 'rs', members: [{ _id: 0, host }] } });
    for (let hello = await admin({ hello: 1 }); hello['isWritablePrimary'] !== true;)
      hello = await admin({ hello: 1 });
  }
  return {
    uri: (database) => `mongodb://${host}/${database}?directConnection=true`,
    admin,
    async dispose() {
      await connection.close();
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
