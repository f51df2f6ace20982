import { EngineError } from '../errors.ts';
import { Binary, type Document } from '../values/types.ts';
import { defineCommand, type Command } from './command.ts';
import type { CommandContext } from './context.ts';
import { field, required } from './fields.ts';
import { challenge, verifyProof, type Conversation } from './scram.ts';

export const MECHANISM = 'SCRAM-SHA-256';

function payloadBytes(payload: unknown): Buffer {
  if (payload instanceof Binary) return Buffer.from(payload.buffer.subarray(0, payload.position));
  throw new EngineError('TypeMismatch', 'payload must be binary');
}

function answer(text: string, done: boolean): Document {
  return { conversationId: 1, done, payload: new Binary(Buffer.from(text)) };
}

function saslStart(context: CommandContext, mechanism: unknown, payload: unknown): Document {
  const { credentials } = context.engine;
  const { client } = context.request;
  client.conversation = undefined;
  if (!credentials) throw new EngineError('AuthenticationFailed', 'Authentication failed.');
  if (mechanism !== MECHANISM) {
    throw new EngineError(
      334,
      `Received authentication for mechanism ${String(mechanism)} which is unknown or not enabled`,
    );
  }
  const { reply, conversation } = challenge(credentials, payloadBytes(payload));
  client.conversation = conversation;
  return answer(reply, false);
}

function saslContinue(context: CommandContext, payload: unknown): Document {
  const { credentials } = context.engine;
  const { client } = context.request;
  const conversation = client.conversation as Conversation | undefined;
  client.conversation = undefined;
  if (!conversation || !credentials) throw new EngineError('ProtocolError', 'No SASL session state found');
  if (conversation.step === 'proven') {
    client.authenticated = true;
    return answer('', true);
  }
  const proof = verifyProof(credentials, conversation, payloadBytes(payload));
  client.conversation = { ...conversation, step: 'proven' };
  return answer(proof, false);
}

/** Sign-in with SCRAM-SHA-256, the only mechanism offered. */
export const signInCommands: Command[] = [
  defineCommand(
    'saslStart',
    { open: true },
    {
      saslStart: field.any,
      mechanism: required(field.string),
      payload: required(field.any),
      options: field.document,
      autoAuthorize: field.any,
    },
    (context, args) => saslStart(context, args.mechanism, args.payload),
  ),
  defineCommand(
    'saslContinue',
    { open: true },
    { saslContinue: field.any, conversationId: field.any, payload: required(field.any) },
    (context, args) => saslContinue(context, args.payload),
  ),
];
