import type { Document } from '../values/types.ts';
import { LIMITS } from '../wire/limits.ts';
import { looseCommand, type Command } from './command.ts';
import type { CommandContext } from './context.ts';
import { SESSION_TIMEOUT_MINUTES } from './sessions.ts';
import { MECHANISM } from './sign-in.ts';

/** The MongoDB release that this engine imitates. */
export const SERVER_VERSION = '7.0.14';
const MAX_WIRE_VERSION = 21;
/** A replica set of one, because drivers retry writes only on replica sets. */
const SET_NAME = 'vialbook';

function hello(context: CommandContext, body: Document, isLegacy: boolean): Document {
  const { address, credentials } = context.engine;
  const reply: Document = {
    ...(isLegacy ? { ismaster: true } : { isWritablePrimary: true }),
    helloOk: true,
    setName: SET_NAME,
    setVersion: 1,
    secondary: false,
    hosts: [address],
    primary: address,
    me: address,
    maxBsonObjectSize: LIMITS.documentBytes,
    maxMessageSizeBytes: LIMITS.messageBytes,
    maxWriteBatchSize: LIMITS.batchCount,
    localTime: context.now,
    logicalSessionTimeoutMinutes: SESSION_TIMEOUT_MINUTES,
    connectionId: context.request.client.id,
    minWireVersion: 0,
    maxWireVersion: MAX_WIRE_VERSION,
    readOnly: false,
  };
  const mechanisms = body['saslSupportedMechs'];
  if (
    credentials &&
    typeof mechanisms === 'string' &&
    mechanisms.slice(mechanisms.indexOf('.') + 1) === credentials.user
  ) {
    reply['saslSupportedMechs'] = [MECHANISM];
  }
  return reply;
}

function buildInfo(): Document {
  const [major = 0, minor = 0, patch = 0] = SERVER_VERSION.split('.').map(Number);
  return {
    version: SERVER_VERSION,
    gitVersion: 'vialbook-embedded',
    modules: ['vialbook-embedded'],
    allocator: 'system',
    javascriptEngine: 'none',
    sysInfo: 'deprecated',
    versionArray: [major, minor, patch, 0],
    openssl: { running: 'disabled', compiled: 'disabled' },
    bits: 64,
    debug: false,
    maxBsonObjectSize: LIMITS.documentBytes,
    storageEngines: ['sqlite'],
  };
}

function connectionStatus(context: CommandContext): Document {
  const { credentials } = context.engine;
  const isSignedIn = credentials !== null && context.request.client.authenticated;
  const users = isSignedIn ? [{ user: credentials.user, db: 'admin' }] : [];
  const roles = isSignedIn ? [{ role: 'root', db: 'admin' }] : [];
  return { authInfo: { authenticatedUsers: users, authenticatedUserRoles: roles } };
}

/** The commands that a client sends first. */
export const handshakeCommands: Command[] = [
  looseCommand('hello', { open: true }, (context, body) => hello(context, body, false)),
  looseCommand('isMaster', { open: true, aliases: ['ismaster'] }, (context, body) =>
    hello(context, body, true),
  ),
  looseCommand('ping', { open: true }, () => ({})),
  looseCommand('buildInfo', { open: true, aliases: ['buildinfo'] }, buildInfo),
  looseCommand('connectionStatus', { open: true }, connectionStatus),
  looseCommand('whatsmyuri', { open: true }, (context) => ({ you: `client:${context.request.client.id}` })),
];
