import { trusted, type Model, type QueryFilter, type UpdateQuery } from 'mongoose';

/** Rows that one statement changes or removes: others get their turn in between. */
export const ROWS_AT_ONCE = 500;

/** The same for rows of up to a quarter of a megabyte, such as the pieces of files. */
export const LARGE_ROWS_AT_ONCE = 20;

/**
 * Calls for the ids of all rows that match, some at a time, until none matches any more: what it is given must change or
 * remove them. Whoever is cut off half way begins again and goes on with what is left.
 */
async function eachBatch<Row>(
  model: Model<Row>,
  filter: QueryFilter<Row>,
  atOnce: number,
  write: (these: QueryFilter<Row>) => Promise<unknown>,
): Promise<void> {
  for (;;) {
    const rows = await model.find(filter, { _id: 1 }).limit(atOnce).lean<{ _id: unknown }[]>();
    const ids = rows.map(({ _id }) => _id);
    // The rest of the filter as well, so that a row that was changed meanwhile is left alone.
    if (ids.length > 0) await write({ ...filter, _id: trusted({ $in: ids }) });
    if (ids.length < atOnce) return;
  }
}

/**
 * Removes all rows that match, some at a time, however many there are. Repeating it is harmless.
 * @returns how many were removed
 */
export async function removeInBatches<Row>(
  model: Model<Row>,
  filter: QueryFilter<Row>,
  atOnce = ROWS_AT_ONCE,
): Promise<number> {
  let removed = 0;
  await eachBatch(model, filter, atOnce, async (these) => {
    removed += (await model.deleteMany(these)).deletedCount;
  });
  return removed;
}

/**
 * Changes all rows that match, some at a time, however many there are.
 * @param filter a changed row must not match it any more
 */
export async function updateInBatches<Row>(
  model: Model<Row>,
  filter: QueryFilter<Row>,
  update: UpdateQuery<Row>,
): Promise<void> {
  await eachBatch(model, filter, ROWS_AT_ONCE, (these) => model.updateMany(these, update));
}
