import type { GetPromptResult, Prompt } from '@modelcontextprotocol/sdk/types.js';

/** A task that a person chooses in their assistant instead of typing it. */
interface Task {
  listed: Prompt;
  /** What the assistant is asked to do. */
  text(args: Readonly<Record<string, string>>): string;
}

const TASKS: readonly Task[] = [
  {
    listed: {
      name: 'today',
      title: 'What is due today',
      description: 'Each dose that is due or overdue, what to draw for it, and where.',
    },
    text: () =>
      'What is due for me today? Use getToday, and nextInjectionSite if a dose is due. Name each dose with its time, its ' +
      'amount and unit, and what to draw exactly as the tool says it; say what is overdue and what runs low. Calculate ' +
      'nothing yourself, and give no advice on doses.',
  },
  {
    listed: {
      name: 'log',
      title: 'Log a dose',
      description: 'Proposes to log what you took; you accept it on a page of Vialbook.',
      arguments: [
        {
          name: 'what',
          description: 'What you took, in your words: "BPC-157, just now, left thigh"',
          required: true,
        },
      ],
    },
    text: ({ what = '' }) =>
      `I took: ${what}\nFind the dose with listDoses (due today or overdue) and propose it with takeDose; if no dose of a ` +
      'schedule fits, use logDose. Never change or convert the amount: ask me if it or its unit is not clear. Then tell me ' +
      'that the proposal waits for me, and where.',
  },
  {
    listed: {
      name: 'week',
      title: 'The last seven days',
      description: 'Doses taken, skipped and missed, side effects, and what is left in the vials.',
    },
    text: () =>
      'How did my last seven days go? Use listDoses for the doses, adherence, listSideEffects and listCompounds. Count what ' +
      'was taken, skipped and missed, list side effects with their severity, and say how much is left of each vial in use. ' +
      'Only what the records say: no causes, no advice.',
  },
];

export const PROMPTS: readonly Prompt[] = TASKS.map(({ listed }) => listed);

/** The message of a prompt; null for an unknown name, or without an argument that it needs. */
export function promptResult(name: string, args: Readonly<Record<string, string>>): GetPromptResult | null {
  const task = TASKS.find(({ listed }) => listed.name === name);
  if (task === undefined) return null;
  const needed = task.listed.arguments?.filter(({ required }) => required) ?? [];
  if (needed.some((argument) => !Object.hasOwn(args, argument.name))) return null;
  return {
    description: task.listed.description,
    messages: [{ role: 'user', content: { type: 'text', text: task.text(args) } }],
  };
}
