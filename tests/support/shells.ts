import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Shell } from '#cli/commands/completion.ts';

/** Each shell's program, and the arguments that make it do nothing. */
const PROGRAMS: Readonly<Record<Shell, readonly [name: string, ...args: string[]]>> = {
  bash: ['bash', '-c', 'exit 0'],
  zsh: ['zsh', '-c', 'exit 0'],
  fish: ['fish', '-c', 'exit 0'],
  powershell: ['pwsh', '-NoProfile', '-Command', 'exit 0'],
};

/** Why a shell cannot be tried on this machine; null if it can. */
export function missingShell(shell: Shell): string | null {
  const [name, ...args] = PROGRAMS[shell];
  return spawnSync(name, args).status === 0 ? null : `${name} is not installed`;
}

function output(name: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): string {
  const { status, stdout, stderr } = spawnSync(name, args, { encoding: 'utf8', env, timeout: 60_000 });
  if (status !== 0 || stderr !== '') throw new Error(`${name} ended with ${status}: ${stderr}`);
  return stdout;
}

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');

/** An interactive zsh in a terminal of its own, where Tab is pressed after the line. */
const ZSH_TERMINAL = `
zmodload zsh/zpty
zpty shell "TERM=dumb zsh -f -i"
zpty -w shell "PS1=; fpath=($FOLDER \\$fpath); autoload -Uz compinit; compinit -u -d $FOLDER/dump; source $FOLDER/record.zsh; print rea''dy"
while zpty -r shell line; do [[ "$line" == *ready* ]] && break; done
zpty -w -n shell "$LINE"$'\\t\\030'
while zpty -r shell; do :; done > /dev/null
`;

/** Records what is offered. Ctrl+X ends the shell. */
const ZSH_RECORD = `
compadd() {
  if [[ \${@[1,(i)(-|--)]} == *-(O|A|D)\\ * ]]; then builtin compadd "$@"; return; fi
  local -a offered
  builtin compadd -A offered "$@"
  (( $#offered )) && print -rl -- $offered >> $FOLDER/offered
  builtin compadd "$@"
}
finish() { exit }
zle -N finish
bindkey '^X' finish
bindkey '^I' complete-word
`;

function offeredByZsh(script: string, line: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'vialbook-zsh-'));
  try {
    writeFileSync(path.join(folder, '_vialbook'), script);
    writeFileSync(path.join(folder, 'record.zsh'), ZSH_RECORD);
    writeFileSync(path.join(folder, 'offered'), '');
    output('zsh', ['-f', '-c', ZSH_TERMINAL], { ...process.env, FOLDER: folder, LINE: line });
    return readFileSync(path.join(folder, 'offered'), 'utf8');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const OFFERED: Readonly<Record<Shell, (script: string, line: string) => string>> = {
  bash(script, line) {
    const words = line.split(' ').map((word) => `'${word}'`);
    const call = `COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _vialbook; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return output('bash', ['-c', `${script}\n${call}`]);
  },
  zsh: offeredByZsh,
  fish: (script, line) => output('fish', ['--no-config', '-c', `${script}\ncomplete -C '${line}'`]),
  powershell: (script, line) =>
    output('pwsh', [
      '-NoProfile',
      '-NonInteractive',
      '-Command',
      `${script}\n(TabExpansion2 '${line}' ${line.length}).CompletionMatches.CompletionText`,
    ]),
};

/**
 * What a shell offers to complete a line, in order.
 * @param script from `vialbook completion`
 * @param line up to the cursor; words are separated by single spaces
 */
export const offeredBy = (shell: Shell, script: string, line: string): string[] =>
  linesOf(OFFERED[shell](script, line))
    .map((text) => text.split('\t')[0] ?? '')
    .toSorted();
