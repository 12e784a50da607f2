import { type CompletedCommand, listsOf, type Values, withAll } from './words.ts';

/**
 * The script for bash 3.2 and later. `_openwop_conformance_place COMMAND PLACE` names what stands behind an option, or in a position:
 * a list, a file or a folder (left to readline), or nothing that can be guessed; it fails where an option takes no value.
 */
export function bashCompletion(program: CompletedCommand): string {
  const commands = withAll(program);
  const places = commands.flatMap((command) => placesOf(command));
  const names = commands.map(({ path, options, commands: below }) => {
    const words = [...options.flatMap((option) => option.names), ...below.map((each) => each.name)];
    return `    '${path}') printf '%s ' ${words.join(' ')} ;;`;
  });
  return `# bash completion of openwop-conformance: source it, or put it where bash looks for completions
_openwop_conformance_names() {
  case $1 in
${names.join('\n')}
  esac
}
_openwop_conformance_list() {
  case $1 in
${[...listsOf(program)].map(([list, words]) => `    ${list}) printf '%s ' ${words.join(' ')} ;;`).join('\n')}
  esac
}
_openwop_conformance_place() {
  case "$1 $2" in
${cases(places).join('\n')}
    *) return 1 ;;
  esac
}
${MACHINERY}`;
}

interface Place {
  readonly command: string;
  readonly place: string;
  readonly values: Values;
}

function placesOf({ path, options, positions }: CompletedCommand): readonly Place[] {
  return [
    ...options.flatMap(({ names, values }) =>
      values === undefined ? [] : names.map((place) => ({ command: path, place, values })),
    ),
    ...positions.map(({ values, repeats }, index) => ({
      command: path,
      place: repeats ? '[0-9]*' : String(index),
      values,
    })),
  ];
}

/** One pattern for each kind of value. */
function cases(places: readonly Place[]): readonly string[] {
  const byKind = new Map<string, string[]>();
  for (const { command, place, values } of places) {
    const kind = typeof values === 'string' ? values : values.list;
    byKind.set(kind, [...(byKind.get(kind) ?? []), `'${command} '${place.startsWith('[') ? place : `'${place}'`}`]);
  }
  return [...byKind].map(([kind, patterns]) => `    ${patterns.join('|')}) printf ${kind} ;;`);
}

const MACHINERY = `_openwop_conformance() {
  # What readline has cut at = : and @ is one word.
  local words=() count=0 i word
  for ((i = 0; i <= COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if ((i > 1)) && [[ $word =~ ^[=:@]+$ || \${COMP_WORDS[i - 1]} =~ ^[=:@]+$ ]]; then
      words[count - 1]+=$word
    else
      words[count]=$word
      count=$((count + 1))
    fi
  done
  local current=\${words[count - 1]} command='' option='' position=0 names kind before=''
  for ((i = 1; i < count - 1; i++)); do
    word=\${words[i]}
    names=" $(_openwop_conformance_names "$command") "
    if [[ -n $option ]]; then
      option=''
    elif [[ $word == -* ]]; then
      if _openwop_conformance_place "$command" "$word" > /dev/null; then option=$word; fi
    elif [[ $names == *" $word "* ]]; then
      command=\${command:+$command }$word
    else
      position=$((position + 1))
    fi
  done
  if [[ -z $option && $current == -*=* ]]; then
    option=\${current%%=*}
    current=\${current#*=}
    if [[ $COMP_WORDBREAKS != *=* ]]; then before=$option=; fi
  fi
  names=$(_openwop_conformance_names "$command")
  if [[ -n $option ]]; then
    kind=$(_openwop_conformance_place "$command" "$option")
    COMPREPLY=($(compgen -P "$before" -W "$(_openwop_conformance_list "$kind")" -- "$current"))
  elif [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$names" -- "$current"))
  else
    # Options where nothing else can stand; files are readline's.
    kind=$(_openwop_conformance_place "$command" "$position")
    COMPREPLY=($(compgen -X '-*' -W "$names $(_openwop_conformance_list "$kind")" -- "$current"))
    if [[ -z $kind$current && \${#COMPREPLY[@]} == 0 ]]; then COMPREPLY=($names); fi
  fi
}
complete -o default -F _openwop_conformance openwop-conformance
`;
