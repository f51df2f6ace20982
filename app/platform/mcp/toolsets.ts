import { AppError } from '#app/domain/errors.ts';
import type { Tool } from './tools.ts';

/** What a person asks an assistant on an ordinary day: today, the next dose, logging, stock, history, calculating. */
const CORE: readonly string[] = [
  'getToday',
  'listDoses',
  'takeDose',
  'takeDoses',
  'skipDose',
  'undoDose',
  'logDose',
  'listSchedules',
  'adherence',
  'listCompounds',
  'getCompound',
  'nextInjectionSite',
  'listSideEffects',
  'addSideEffect',
  'listMeasurements',
  'listCalculations',
  'calculate',
  'findLadder',
  'getProfile',
  'listProposals',
];

const CORE_SET = 'core';
const EVERYTHING = 'all';

const setOf = ({ operation: { tag } }: Tool): string => tag.toLowerCase().replaceAll(' ', '-');

/** The names of the sets besides `core` and `all`: the headings of the API's document, such as `side-effects`. */
export const toolsetNames = (tools: Iterable<Tool>): string[] => [...new Set([...tools].map(setOf))].sort();

/**
 * Which tools a client gets to see.
 * @param chosen names of sets, separated by commas; without any, `core`
 * @param mayPropose false for a client that may only read, which sees no tool that writes
 * @throws AppError INVALID_INPUT for an unknown name
 */
export function chooseTools(
  tools: ReadonlyMap<string, Tool>,
  { chosen, mayPropose }: { chosen?: string | null | undefined; mayPropose: boolean },
): Tool[] {
  const names = (chosen ?? CORE_SET)
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
  const known = [CORE_SET, EVERYTHING, ...toolsetNames(tools.values())];
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new AppError('INVALID_INPUT', `There is no set of tools “${unknown.slice(0, 40)}”`, {
      fields: { toolsets: [`Choose from ${known.join(', ')}`] },
    });
  const isChosen = (tool: Tool): boolean =>
    names.includes(EVERYTHING) ||
    names.includes(setOf(tool)) ||
    (names.includes(CORE_SET) && CORE.includes(tool.listed.name));
  return [...tools.values()].filter(
    (tool) => isChosen(tool) && (mayPropose || tool.operation.scope === 'read'),
  );
}
