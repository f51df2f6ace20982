import { compileFilter, equalValues } from '#models/engine/query/index.ts';
import type { Document } from '#models/engine/values/types.ts';

/** What a unique index of the model forbids: the same value under one field, missing ones counting as null. */
export interface UniqueRule {
  field: string;
  /** Documents without the field are left alone. */
}

/** A collection as plainly as can be: a list of documents and rules. Throws MongoDB's codes as numbers. */
export class PlainCollection {
  docs: Document[] = [];
  readonly unique = new Map<string, UniqueRule>();

  private valueOf(doc: Document, rule: UniqueRule): unknown {
    const value = doc[rule.field];
    return value ?? null;
  }

  private check(doc: Document, others: Document[]): void {
    const rules = [{ field: '_id' }, ...this.unique.values()];
    for (const rule of rules) {
      const value = this.valueOf(doc, rule);
      if (value === undefined) continue;
      if (others.some((other) => equalValues(this.valueOf(other, rule), value))) throw 11000;
    }
  }

  addRule(name: string, rule: UniqueRule): void {
    const before = new Map(this.unique);
    this.unique.set(name, rule);
    try {
      this.docs.forEach((doc, i) => this.check(doc, this.docs.slice(0, i)));
    } catch (code) {
      this.unique.clear();
      for (const [key, value] of before) this.unique.set(key, value);
      throw code;
    }
  }

  insert(doc: Document): void {
    this.check(doc, this.docs);
    this.docs.push(doc);
  }

  /** Replaces every match in turn; like the store, nothing is kept when one of them fails. */
  replaceAll(filter: Document, change: (doc: Document) => Document): void {
    const matches = compileFilter(filter);
    const before = this.docs;
    this.docs = [...before];
    try {
      before.forEach((doc, i) => {
        if (!matches(doc)) return;
        const after = change(doc);
        this.check(
          after,
          this.docs.filter((_, other) => other !== i),
        );
        this.docs[i] = after;
      });
    } catch (code) {
      this.docs = before;
      throw code;
    }
  }

  removeAll(filter: Document): void {
    const matches = compileFilter(filter);
    this.docs = this.docs.filter((doc) => !matches(doc));
  }
}
