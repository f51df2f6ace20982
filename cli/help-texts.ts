import { columnsText, EXIT } from './output.ts';

/** The environment variables that concern every command; `serve` and `worker` read those of docs/settings.md, too. */
export const ENVIRONMENT: readonly (readonly [name: string, about: string])[] = [
  ['DATA_DIR', 'directory of the embedded database; by default ./data'],
  ['MONGODB_URI', 'address of a MongoDB to use instead of the embedded database'],
  ['VIALBOOK_USER', 'the account, for commands that take --user'],
  ['VIALBOOK_PASSWORD', 'password for "vialbook admin create", which otherwise asks for it'],
  ['VIALBOOK_TOKEN', 'personal token for "vialbook login", which otherwise asks for it'],
  ['NO_COLOR', 'no colours in a terminal'],
];

/** What each exit code means. */
export const EXIT_CODES: readonly (readonly [code: number, about: string])[] = [
  [EXIT.done, 'done'],
  [EXIT.failed, 'failed'],
  [EXIT.invalid, 'wrong usage or invalid input'],
  [EXIT.overdueOrLow, 'something is overdue or running low'],
  [EXIT.notFound, 'not found'],
  [EXIT.notAllowed, 'not allowed'],
];

/** Environment and exit codes as text for the help and the reference. */
export function settingsText(): string {
  const list = (rows: readonly (readonly [string | number, string])[]) =>
    columnsText(rows.map(([name, about]) => [`  ${name}`, about]));
  return `Environment:\n${list(ENVIRONMENT)}\nExit codes:\n${list(EXIT_CODES)}`.trimEnd();
}
