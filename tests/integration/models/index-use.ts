import type { Connection } from 'mongoose';

type Command = Record<string, unknown>;

/** The filter of a command, with the order and the hint that it gives. */
function questionsOf(name: string, command: Command): Command[] {
  if (name === 'find') {
    const { filter, sort, hint, limit } = command;
    return [{ filter, ...(sort !== undefined && { sort }), ...(hint !== undefined && { hint }), limit }];
  }
  const statements = (command['updates'] ?? command['deletes'] ?? []) as { q: unknown }[];
  if (statements.length > 0) return statements.map(({ q }) => ({ filter: q }));
  const [first] = (command['pipeline'] ?? []) as { $match?: unknown }[];
  const filter = first?.$match ?? command['query'] ?? command['filter'];
  return filter === undefined ? [] : [{ filter, sort: command['sort'] }];
}

function fieldsOf(value: unknown): string {
  if (value instanceof Map) return [...value.keys()].join(', ');
  return typeof value === 'object' && value !== null ? Object.keys(value).join(', ') : '';
}

/** Which of a collection's indexes the commands that pass by are answered with. */
export class IndexUse {
  /** One question of each shape. */
  private readonly questions = new Map<string, Command>();

  constructor(private readonly collection: string) {}

  note({ commandName, command }: { commandName: string; command: Command }): void {
    if (command[commandName] !== this.collection) return;
    for (const question of questionsOf(commandName, command))
      this.questions.set(`${fieldsOf(question['filter'])} by ${fieldsOf(question['sort'])}`, question);
  }

  /** The owners that the questions name. */
  get owners(): string[] {
    const named = [...this.questions.values()].map(({ filter }) => (filter as { userId?: unknown }).userId);
    return [...new Set(named)].filter((owner) => typeof owner === 'string');
  }

  /** The shapes of questions by the index that the database would answer them with. */
  async byIndex(connection: Connection): Promise<Map<string, string[]>> {
    const uses = new Map<string, string[]>();
    for (const [shape, question] of this.questions) {
      const given = Object.fromEntries(Object.entries(question).filter(([, value]) => value !== undefined));
      const explain = { find: this.collection, ...given };
      const plan: unknown = await connection.db?.command({ explain });
      const [, index = ''] = /"indexName":"([^"]+)"/.exec(JSON.stringify(plan)) ?? [];
      uses.set(index, [...(uses.get(index) ?? []), shape]);
    }
    return uses;
  }
}
