import type { OptionWord, Place } from './words.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

const isNamed = ({ path }: Place) => path !== '';

/** One line of words about something, short enough for a menu. */
const brief = (text: string): string => {
  const [first = ''] = text.replace(/\s+/g, ' ').split(/(?<=\.) /);
  return first.replace(/\.$/, '');
};

/** Text within single quotes of bash and zsh. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Text within single quotes of fish. */
const fishQuoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

const flags = ({ long, short }: OptionWord): string[] => (short === null ? [long] : [long, short]);

/** The lines by which bash and zsh find out which command the words before the cursor call. */
const pathLines = (places: readonly Place[], indent: string): string =>
  `${indent}case "$path $word" in\n${indent}  ${places
    .filter(isNamed)
    .map(({ path }) => quoted(` ${path}`))
    .join('|')}) path="$path $word" ;;\n${indent}esac`;

const spaced = ({ path }: Place) => quoted(path === '' ? '' : ` ${path}`);

function bash(places: readonly Place[]): string {
  const cases = places.map((place) => {
    const words = [...place.commands.map(({ name }) => name), ...place.options.flatMap(flags)];
    return `    ${spaced(place)}) words=${quoted(words.join(' '))} ;;`;
  });
  return `# bash completion of vialbook: vialbook completion bash > ~/.local/share/bash-completion/completions/vialbook
_vialbook() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" path='' words='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
${pathLines(places, '    ')}
  done
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=( $(compgen -W "$words" -- "$cur") )
}
complete -o default -F _vialbook vialbook
`;
}

const zshItem = (name: string, about: string) => quoted(`${name}:${brief(about).replaceAll(':', '\\:')}`);

function zsh(places: readonly Place[]): string {
  const cases = places.map((place) => {
    const items = [
      ...place.commands.map(({ name, about }) => zshItem(name, about)),
      ...place.options.flatMap((option) => flags(option).map((flag) => zshItem(flag, option.about))),
    ];
    return `    ${spaced(place)}) choices=(${items.join(' ')}) ;;`;
  });
  return `#compdef vialbook
# zsh completion of vialbook: vialbook completion zsh > "\${fpath[1]}/_vialbook"
_vialbook() {
  local path='' word
  local -a choices
  for word in "\${(@)words[2,CURRENT-1]}"; do
${pathLines(places, '    ')}
  done
  case "$path" in
${cases.join('\n')}
  esac
  _describe -o vialbook choices || _files
}
compdef _vialbook vialbook
`;
}

function fishLines(place: Place): string[] {
  const when = fishQuoted(`test (__vialbook_path) = "${place.path}"`);
  const commands = place.commands.map(
    ({ name, about }) => `complete -c vialbook -f -n ${when} -a ${name} -d ${fishQuoted(brief(about))}`,
  );
  const options = place.options.map(({ long, short, takesValue, about }) => {
    const names = `-l ${long.replace(/^--/, '')}${short === null ? '' : ` -s ${short.replace(/^-/, '')}`}`;
    return `complete -c vialbook -n ${when} ${names}${takesValue ? ' -r' : ''} -d ${fishQuoted(brief(about))}`;
  });
  return [...commands, ...options];
}

function fish(places: readonly Place[]): string {
  const known = places.filter(isNamed).map(({ path }) => fishQuoted(path));
  return `# fish completion of vialbook: vialbook completion fish > ~/.config/fish/completions/vialbook.fish
function __vialbook_path
  set -l path ''
  set -l tokens (commandline -opc)
  for word in $tokens[2..-1]
    set -l next (string trim -- "$path $word")
    if contains -- "$next" ${known.join(' ')}
      set path "$next"
    end
  end
  echo "$path"
end
${places.flatMap(fishLines).join('\n')}
`;
}

const WRITERS: Readonly<Record<Shell, (places: readonly Place[]) => string>> = { bash, zsh, fish };

/** The script by which a shell completes command lines of this program. */
export function completionScript(shell: Shell, places: readonly Place[]): string {
  return WRITERS[shell](places);
}
