import type { Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { useItems } from './items.ts';

const given = useItems();
const find = (more: Document): Document => ({ find: 'items', ...more });
const update = (more: Document): Document => ({ update: 'items', updates: [{ q: {}, ...more }] });
const aggregate = (...pipeline: Document[]): Document => ({ aggregate: 'items', pipeline, cursor: {} });

describe('unsupported features of the embedded database', () => {
  it.each<[string, Document, number]>([
    ['$expr', find({ filter: { $expr: { $eq: ['$x', 11] } } }), 2],
    ['$where', find({ filter: { $where: 'true' } }), 2],
    ['$text', find({ filter: { $text: { $search: 'x' } } }), 2],
    ['$jsonSchema', find({ filter: { $jsonSchema: {} } }), 2],
    ['$mod', find({ filter: { x: { $mod: [2, 1] } } }), 2],
    ['$bitsAllSet', find({ filter: { x: { $bitsAllSet: 1 } } }), 2],
    ['$near', find({ filter: { x: { $near: [0, 0] } } }), 2],
    ['find.let', find({ let: { a: 1 } }), 40415],
    ['find.showRecordId', find({ showRecordId: true }), 40415],
    ["'('", find({ filter: { word: /(a|b)/ } }), 51091],
    ["'+'", find({ filter: { word: /a+/ } }), 51091],
    ["'{'", find({ filter: { word: /a{2}/ } }), 51091],
    ['\\b', find({ filter: { word: /\bpi/ } }), 51091],
    ['m', find({ filter: { word: /^p/m } }), 51108],
    ['$pull by conditions', update({ u: { $pull: { list: { $gt: 1 } } } }), 115],
    ['$project', aggregate({ $project: { x: 1 } }), 40324],
    ['$collStats', aggregate({ $collStats: {} }), 40324],
    ['$and', aggregate({ $group: { _id: { $and: ['$x'] } } }), 168],
    ['aggregate.explain', { ...aggregate(), explain: true }, 40415],
    ['snapshot', find({ readConcern: { level: 'snapshot' } }), 115],
    ['scale', { dbStats: 1, scale: 1024 }, 115],
    ['find.tailable', find({ tailable: true }), 40415],
    ['find.max', find({ max: { x: 1 } }), 40415],
    ['$slice', find({ projection: { list: { $slice: 1 } } }), 115],
    ['$elemMatch', find({ projection: { list: { $elemMatch: { n: 1 } } } }), 115],
    ['positional projection', find({ projection: { 'list.$': 1 } }), 115],
    ['$meta', find({ sort: { score: { $meta: 'textScore' } } }), 115],
    ['pipeline', update({ u: [{ $set: { x: 1 } }] }), 115],
    ['arrayFilters', update({ u: { $set: { x: 1 } }, arrayFilters: [{ 'a.n': 1 }] }), 40415],
    ["'$'", update({ u: { $set: { 'list.$.n': 1 } } }), 115],
    ["'$[]'", update({ u: { $set: { 'list.$[].n': 1 } } }), 115],
    ['$rename', update({ u: { $rename: { x: 'y' } } }), 9],
    ['$currentDate', update({ u: { $currentDate: { at: true } } }), 9],
    ['$bit', update({ u: { $bit: { x: { and: 1 } } } }), 9],
    ['$position', update({ u: { $push: { list: { $each: [], $position: 0 } } } }), 2],
    ['$sort', update({ u: { $push: { list: { $each: [], $sort: 1 } } } }), 2],
    ['update.let', { ...update({ u: {} }), let: { a: 1 } }, 40415],
    ['$addFields', aggregate({ $addFields: { a: 1 } }), 40324],
    ['$unset', aggregate({ $unset: 'a' }), 40324],
    ['$indexStats', aggregate({ $indexStats: {} }), 40324],
    ['$listSessions', aggregate({ $listSessions: {} }), 40324],
    ['$lookup', aggregate({ $lookup: {} }), 40324],
    ['$facet', aggregate({ $facet: {} }), 40324],
    ['$out', aggregate({ $out: 'other' }), 40324],
    ['$sample', aggregate({ $sample: { size: 1 } }), 40324],
    ['$replaceRoot', aggregate({ $replaceRoot: { newRoot: '$a' } }), 40324],
    ['$unwind', aggregate({ $unwind: '$list' }), 40324],
    ['$count', aggregate({ $count: 'n' }), 40324],
    ['$type', find({ filter: { x: { $type: 'int' } } }), 2],
    ['$all', find({ filter: { x: { $all: [1] } } }), 2],
    ['$elemMatch', find({ filter: { list: { $elemMatch: { n: 1 } } } }), 2],
    ['$mul', update({ u: { $mul: { x: 2 } } }), 9],
    ['$pop', update({ u: { $pop: { list: 1 } } }), 9],
    ['$pullAll', update({ u: { $pullAll: { list: [1] } } }), 9],
    ['computed', find({ projection: { y: '$x' } }), 115],
    ["an array in 'list'", find({ sort: { list: 1 } }), 115],
    ["an array in 'list'", { createIndexes: 'items', indexes: [{ key: { list: 1 }, name: 'list' }] }, 115],
    ['sparse', { createIndexes: 'items', indexes: [{ key: { x: 1 }, name: 'x', sparse: true }] }, 197],
    ['$stdDevPop', aggregate({ $group: { _id: null, n: { $stdDevPop: '$x' } } }), 15952],
    ['$map', aggregate({ $group: { _id: { $map: { input: '$list', in: 1 } } } }), 168],
    ['NOW', aggregate({ $group: { _id: '$$NOW' } }), 17276],
    ['create.validator', { create: 'other', validator: { x: 1 } }, 40415],
    ['create.capped', { create: 'other', capped: true }, 40415],
    ['collMod', { collMod: 'items' }, 59],
    ['hidden', { createIndexes: 'items', indexes: [{ key: { x: 1 }, name: 'x', hidden: true }] }, 197],
    ['distinct', { explain: { distinct: 'items', key: 'x' } }, 59],
  ])('is refused by its name: %s', async (name, command, code) => {
    const items = given.items;
    await items.updateMany({}, { $set: { list: [{ n: 1 }] } });
    const before = await items.find().toArray();
    const reply = await items.db
      .command(command)
      .catch((error: { errorResponse: Document }) => error.errorResponse);
    const [failed = reply] = (reply['writeErrors'] ?? []) as Document[];
    const { code: found, errmsg } = failed;
    expect(errmsg).toContain(name);
    expect(errmsg).toMatch(/embedded (engine|database)/);
    expect(found).toBe(code);
    expect(await items.find().toArray()).toEqual(before);
  });
});
