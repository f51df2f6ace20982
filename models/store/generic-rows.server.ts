import type { QueryFilter, UpdateQuery } from 'mongoose';

// Helpers for code that serves several kinds of rows: mongoose's types cannot check fields of a row type that is a parameter.

/** A filter by fields that every one of these rows has. */
export const filterOf = <Row>(fields: object) => fields as QueryFilter<Row>;

/** An update of fields that every one of these rows has. */
export const updateOf = <Row>(update: object) => update as UpdateQuery<Row>;

/** A new row, put together from its parts. */
export const rowOf = <Row extends object>(fields: object) => fields as Row;
