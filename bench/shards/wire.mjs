// MongoDB's wire protocol as far as a router needs it: whole messages in both directions.
import { connect } from 'node:net';
import mongoose from 'mongoose';

const { BSON } = mongoose.mongo;
const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;
const MORE_TO_COME = 2;

/** Keeps the types of numbers and bytes, so that a document is written as it was read. */
const EXACTLY = { promoteValues: false, promoteBuffers: false, bsonRegExp: true };
const exact = (bytes) => BSON.deserialize(bytes, EXACTLY);
const plain = (bytes) => BSON.deserialize(bytes, { promoteBuffers: true });

/** Calls back with each whole message that a socket brings. */
export function onMessages(socket, take) {
  let rest = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (rest.length >= 4 && rest.length >= rest.readInt32LE(0)) {
      const size = rest.readInt32LE(0);
      take(rest.subarray(0, size));
      rest = rest.subarray(size);
    }
  });
}

/** The sections of an OP_MSG, with lists of documents as fields of the body. */
function bodyOf(bytes, read) {
  let body = {};
  const lists = {};
  for (let at = 20; at < bytes.length;) {
    const kind = bytes[at];
    const size = bytes.readInt32LE(at + 1);
    const section = bytes.subarray(at + 1, at + 1 + size);
    at += 1 + size;
    if (kind === 0) body = read(section);
    else {
      const end = section.indexOf(0, 4);
      const list = (lists[section.toString('utf8', 4, end)] = []);
      for (let from = end + 1; from < section.length; from += section.readInt32LE(from))
        list.push(read(section.subarray(from, from + section.readInt32LE(from))));
    }
  }
  return { ...body, ...lists };
}

/** A request: its command with and without the exact types, and whether it waits for an answer. */
export function readRequest(bytes) {
  const id = bytes.readInt32LE(4);
  if (bytes.readInt32LE(12) === OP_QUERY) {
    const begin = bytes.indexOf(0, 20) + 9;
    const query = bytes.subarray(begin, begin + bytes.readInt32LE(begin));
    return { id, isQuery: true, waits: true, exact: exact(query), plain: plain(query) };
  }
  const waits = (bytes.readUInt32LE(16) & MORE_TO_COME) === 0;
  return { id, isQuery: false, waits, exact: bodyOf(bytes, exact), plain: bodyOf(bytes, plain) };
}

function header(size, id, responseTo, code) {
  const bytes = Buffer.alloc(16);
  [size + 16, id, responseTo, code].forEach((value, at) => bytes.writeInt32LE(value, at * 4));
  return bytes;
}

let lastId = 0;

function messageOf(document, responseTo = 0) {
  const body = BSON.serialize(document, { ignoreUndefined: true });
  return Buffer.concat([header(body.length + 5, (lastId += 1), responseTo, OP_MSG), Buffer.alloc(5), body]);
}

/** The bytes of an answer. */
export function answerTo({ id, isQuery }, document) {
  if (!isQuery) return messageOf(document, id);
  const body = BSON.serialize(document);
  const fields = Buffer.alloc(20);
  fields.writeInt32LE(1, 16);
  return Buffer.concat([header(body.length + 20, (lastId += 1), id, OP_REPLY), fields, body]);
}

/** A conversation with one server, which answers in the order in which it is asked. */
export function openLink(port) {
  const waiting = [];
  const socket = connect(port, '127.0.0.1');
  socket.setNoDelay(true);
  onMessages(socket, (bytes) => waiting.shift()?.resolve(bodyOf(bytes, exact)));
  const end = (error) => {
    for (const { reject } of waiting.splice(0))
      reject(error ?? new Error('the server closed the connection'));
  };
  socket.on('error', end).on('close', () => end());
  return {
    /** @returns the answer, whether good or bad */
    ask: (command) =>
      new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
        socket.write(messageOf(command));
      }),
    close: () => socket.destroy(),
  };
}

/** Any value without its exact type. */
export const plainOf = (document) => plain(BSON.serialize(document));
