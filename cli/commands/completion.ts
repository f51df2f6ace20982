import { type Command, type Option, Argument } from 'commander';
import { AppError } from '#app/domain/errors.ts';
import { action, type Session, UserOption, withCommonOptions } from '#cli/command.ts';
import { write } from '#cli/io.ts';
import { EXIT, writeJson } from '#cli/output.ts';

export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;

export type Shell = (typeof SHELLS)[number];

/** The script that lets a shell complete this program's commands. */
export function completionScript(shell: Shell, places: readonly Place[]): string {
  return WRITERS[shell](places);
}

/** An option, as the completion scripts need it. */
interface OptionWord {
  long: string;
  short: string | null;
  takesValue: boolean;
  /** The possible values, if they can be listed. */
  choices: readonly string[];
  /** The value is a file path. */
  takesFile: boolean;
  about: string;
}

/** What can follow a command on the command line. */
export interface Place {
  /** "", "calc", "db backup" */
  path: string;
  commands: { name: string; about: string }[];
  options: OptionWord[];
  takesFile: boolean;
  /** The operand's possible values, if they can be listed. */
  choices: readonly string[];
  /** Long names of the required options, without `--user`, which a login stands in for. */
  required: string[];
  /** The smallest and largest number of operands. */
  operandsRequired: number;
  operandsAllowed: number;
}

const HELP: OptionWord = {
  long: '--help',
  short: '-h',
  takesValue: false,
  choices: [],
  takesFile: false,
  about: 'display help for command',
};

const optionWord = ({
  long,
  short,
  flags,
  description,
  required,
  optional,
  argChoices,
}: Option): OptionWord => ({
  long: long ?? short ?? '',
  short: short ?? null,
  takesValue: required || optional,
  choices: argChoices ?? [],
  takesFile: /<(file|path)>/.test(flags),
  about: description,
});

const joined = (path: string, name: string) => (path === '' ? name : `${path} ${name}`);

/** Every command of a program and what can follow it, parents first. */
export function placesOf(command: Command, path = ''): Place[] {
  const commands = command.commands.filter((each) => each.name() !== 'help');
  const own: Place = {
    path,
    commands: commands.map((each) => ({ name: each.name(), about: each.summary() || each.description() })),
    options: [...command.options.filter(({ hidden }) => !hidden).map(optionWord), HELP],
    required: command.options
      .filter((option) => option.mandatory && !(option instanceof UserOption))
      .map(({ long }) => long ?? ''),
    operandsRequired: command.registeredArguments.filter(({ required }) => required).length,
    operandsAllowed: command.registeredArguments.length,
    takesFile: command.registeredArguments.some((argument) => /file/i.test(argument.name())),
    choices: command.registeredArguments.flatMap((argument) => argument.argChoices ?? []),
  };
  return [own, ...commands.flatMap((each) => placesOf(each, joined(path, each.name())))];
}

const isNamed = ({ path }: Place) => path !== '';

/** The first sentence of a description, short enough for a menu. */
const brief = (text: string): string => {
  const [first = ''] = text.replace(/\s+/g, ' ').split(/(?<=\.) /);
  return first.replace(/\.$/, '');
};

/** Text in single quotes for bash and zsh. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Text in single quotes for fish. */
const fishQuoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

const flags = ({ long, short }: OptionWord): string[] => (short === null ? [long] : [long, short]);

/** The lines of bash and zsh that determine the command from the words before the cursor. */
const pathLines = (places: readonly Place[], indent: string): string =>
  `${indent}case "$at $word" in\n${indent}  ${places
    .filter(isNamed)
    .map(({ path }) => quoted(` ${path}`))
    .join('|')}) at="$at $word" ;;\n${indent}esac`;

const spaced = ({ path }: Place) => quoted(path === '' ? '' : ` ${path}`);

const takesAnyValue = ({ takesValue, choices, takesFile }: OptionWord) =>
  takesValue && choices.length === 0 && !takesFile;

/** A bash or zsh case for each option with a value: "path --option" and what can follow. */
function valueCases(places: readonly Place[], answer: (option: OptionWord) => string): string {
  const cases = places.flatMap((place) =>
    place.options
      .filter(({ takesValue }) => takesValue)
      .map((option) => {
        const keys = flags(option).map((flag) =>
          quoted(`${place.path === '' ? '' : ` ${place.path}`} ${flag}`),
        );
        return `    ${keys.join('|')}) ${answer(option)} ;;`;
      }),
  );
  return cases.join('\n');
}

function bash(places: readonly Place[]): string {
  const cases = places.map((place) => {
    const words = [
      ...place.commands.map(({ name }) => name),
      ...place.choices,
      ...place.options.flatMap(flags),
    ];
    // Readline offers file names when there are no words.
    const files = place.takesFile ? '; [[ "$cur" == -* ]] || words=\'\'' : '';
    return `    ${spaced(place)}) words=${quoted(words.join(' '))}${files} ;;`;
  });
  const values = valueCases(places, (option) => {
    if (takesAnyValue(option)) return "words=''; compopt +o default 2>/dev/null";
    return `words=${quoted(option.choices.join(' '))}`;
  });
  return `# bash completion of vialbook: vialbook completion bash > ~/.local/share/bash-completion/completions/vialbook
_vialbook() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" at='' words='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
${pathLines(places, '    ')}
  done
  case "$at" in
${cases.join('\n')}
  esac
  case "$at $prev" in
${values}
  esac
  COMPREPLY=( $(compgen -W "$words" -- "$cur") )
}
complete -o default -F _vialbook vialbook
`;
}

const zshItem = (name: string, about: string) => quoted(`${name}:${brief(about).replaceAll(':', '\\:')}`);

function zsh(places: readonly Place[]): string {
  const cases = places.map((place) => {
    const names = [
      ...place.commands.map(({ name, about }) => zshItem(name, about)),
      ...place.choices.map((choice) => quoted(choice)),
    ];
    const options = place.options.flatMap((option) =>
      flags(option).map((flag) => zshItem(flag, option.about)),
    );
    const files = place.takesFile ? ' files=1' : '';
    return `    ${spaced(place)}) names=(${names.join(' ')}) options=(${options.join(' ')})${files} ;;`;
  });
  const values = valueCases(places, (option) => {
    if (option.takesFile) return '_files; return';
    if (takesAnyValue(option)) return '_message value; return';
    return `compadd -- ${option.choices.map(quoted).join(' ')}; return`;
  });
  // A variable named "path" would be the shell's own. The first call of a function from $fpath runs the whole file.
  return `#compdef vialbook
# zsh completion of vialbook: vialbook completion zsh > "\${fpath[1]}/_vialbook"
_vialbook() {
  local at='' files='' word
  local -a names options
  for word in "\${(@)words[2,CURRENT-1]}"; do
${pathLines(places, '    ')}
  done
  case "$at \${words[CURRENT-1]}" in
${values}
  esac
  case "$at" in
${cases.join('\n')}
  esac
  if [[ "$PREFIX" == -* ]]; then _describe -o option options
  elif (( $#names )); then _describe command names
  elif [[ -n "$files" ]]; then _files
  else _describe -o option options
  fi
}
if [[ "\${funcstack[1]}" == _vialbook ]]; then _vialbook "$@"; else compdef _vialbook vialbook; fi
`;
}

/** How fish completes an option's value: with files, from a list, or not at all. */
function fishValue({ takesValue, takesFile, choices }: OptionWord): string {
  if (!takesValue) return '';
  if (takesFile) return ' -r -F';
  return choices.length > 0 ? ` -x -a ${fishQuoted(choices.join(' '))}` : ' -x';
}

function fishLines(place: Place): string[] {
  const when = fishQuoted(`test (__vialbook_path) = "${place.path}"`);
  const commands = place.commands.map(
    ({ name, about }) => `complete -c vialbook -n ${when} -a ${name} -d ${fishQuoted(brief(about))}`,
  );
  const choices =
    place.choices.length > 0
      ? [`complete -c vialbook -n ${when} -a ${fishQuoted(place.choices.join(' '))}`]
      : [];
  const files = place.takesFile ? [`complete -c vialbook -n ${when} -F`] : [];
  const options = place.options.map((option) => {
    const { long, short, about } = option;
    const names = `-l ${long.replace(/^--/, '')}${short === null ? '' : ` -s ${short.replace(/^-/, '')}`}`;
    return `complete -c vialbook -n ${when} ${names}${fishValue(option)} -d ${fishQuoted(brief(about))}`;
  });
  return [...commands, ...choices, ...files, ...options];
}

function fish(places: readonly Place[]): string {
  const known = places.filter(isNamed).map(({ path }) => fishQuoted(path));
  return `# fish completion of vialbook: vialbook completion fish > ~/.config/fish/completions/vialbook.fish
function __vialbook_path
  set -l at ''
  set -l tokens (commandline -opc)
  for word in $tokens[2..-1]
    set -l next (string trim -- "$at $word")
    if contains -- "$next" ${known.join(' ')}
      set at "$next"
    end
  end
  echo "$at"
end
complete -c vialbook -f
${places.flatMap(fishLines).join('\n')}
`;
}

/** Any of these ends a text of PowerShell, and two of them are one. */
const POWERSHELL_QUOTES = /['\u2018-\u201b]/g;

/** Text in single quotes for PowerShell. */
const powershellQuoted = (text: string): string => `'${text.replaceAll(POWERSHELL_QUOTES, '$&$&')}'`;

function powershell(places: readonly Place[]): string {
  // Name and description in one text: PowerShell would take a list of one pair for the pair.
  const item = (name: string, about = name) => powershellQuoted(`${name}\t${brief(about) || name}`);
  const words = places.map((place) => {
    const items = [
      ...place.commands.map(({ name, about }) => item(name, about)),
      ...place.choices.map((choice) => item(choice)),
      ...place.options.map(({ long, about }) => item(long, about)),
    ];
    return `  ${powershellQuoted(place.path)} = @(${items.join(', ')})`;
  });
  const values = places.flatMap((place) =>
    place.options
      .filter(({ takesValue }) => takesValue)
      .map(
        ({ long, choices }) =>
          `  ${powershellQuoted(joined(place.path, long))} = @(${choices.map((choice) => item(choice)).join(', ')})`,
      ),
  );
  return `# PowerShell completion of vialbook, for $PROFILE: vialbook completion powershell | Out-String | Invoke-Expression
$VialbookWords = @{
${words.join('\n')}
}
$VialbookValues = @{
${values.join('\n')}
}
Register-ArgumentCompleter -Native -CommandName vialbook -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $at = ''
  $option = ''
  foreach ($element in @($commandAst.CommandElements | Select-Object -Skip 1)) {
    if ($element.Extent.EndOffset -ge $cursorPosition) { break }
    $option = "$at $element".Trim()
    if ($VialbookWords.ContainsKey($option)) { $at = $option }
  }
  $offered = $VialbookWords[$at]
  if ($VialbookValues.ContainsKey($option)) { $offered = $VialbookValues[$option] }
  foreach ($line in $offered) {
    $name, $about = $line.Split([char]9)
    if ($name.StartsWith($wordToComplete)) {
      [System.Management.Automation.CompletionResult]::new($name, $name, 'ParameterValue', $about)
    }
  }
}
`;
}

const WRITERS: Readonly<Record<Shell, (places: readonly Place[]) => string>> = {
  bash,
  zsh,
  fish,
  powershell,
};

const EXAMPLES = `
Examples:
  source <(vialbook completion bash)   # for this shell only
  vialbook completion bash > ~/.local/share/bash-completion/completions/vialbook
  vialbook completion zsh > "\${fpath[1]}/_vialbook"
  vialbook completion fish > ~/.config/fish/completions/vialbook.fish
  vialbook completion powershell | Out-String | Invoke-Expression   # in $PROFILE`;

const isShell = (name: string): name is Shell => (SHELLS as readonly string[]).includes(name);

async function run(session: Session, { json }: { json?: boolean }, shell: string): Promise<number> {
  if (!isShell(shell)) throw new AppError('INVALID_INPUT', `Choose a shell: ${SHELLS.join(', ')}.`);
  const script = completionScript(shell, placesOf(session.program));
  if (json) await writeJson(session.io, { shell, script });
  else await write(session.io.stdout, script);
  return EXIT.done;
}

/** Adds `vialbook completion`. It lists every command, so all must be registered when it runs. */
export function register(session: Session): void {
  const shells = new Argument('<shell>', 'your shell');
  shells.argChoices = [...SHELLS];
  const command = session.program
    .command('completion')
    .description('Print the script that lets your shell complete vialbook commands.')
    .addArgument(shells)
    .addHelpText('after', EXAMPLES);
  withCommonOptions(command, { quiet: false }).action(
    action<{ json?: boolean }>(session, (options, shell = '') => run(session, options, shell)),
  );
}
