import { printerTypes } from "../catalog/catalog.ts";
import { excerpt, inputError } from "../core/api-error.ts";
import { lazy } from "../core/memoize.ts";
import type { CommandModule, Options } from "./command-module.ts";
import { MACHINES_OPTION } from "./machines-option.ts";
import { parseWords } from "./parse-words.ts";
import { SERVER_OPTIONS } from "./server-options.ts";

/** The parts of a command that shells complete. */
export interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  readonly options: Options;
}

const USAGE = `Usage: printwright completion bash|zsh|fish [--machines FILE]…

Prints what makes a shell complete the commands, options and printers of printwright with the tab key:

  bash   source <(printwright completion bash)      in ~/.bashrc
  zsh    source <(printwright completion zsh)       in ~/.zshrc, behind compinit
  fish   printwright completion fish | source       in ~/.config/fish/config.fish`;

/** `printwright completion`, for these commands. */
export const completionOf = (commands: readonly CompletedCommand[]): CommandModule => ({
  usage: USAGE,
  options: MACHINES_OPTION,
  async run(argv, _open, output) {
    const { positionals } = parseWords(argv, MACHINES_OPTION);
    const [shell = ""] = positionals;
    const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
    if (positionals.length !== 1 || !script)
      throw inputError(`name the shell: bash, zsh or fish, not "${excerpt(positionals.join(" "))}"`);
    output.line(script(commands));
    return 0;
  },
});

/** The values of options that accept one of a few words, by the long names of the options. */
const choicesByOption = lazy((): Readonly<Record<string, readonly string[]>> => ({
  printer: printerTypes().map(({ machineType }) => machineType),
  units: ["mm", "inch"],
  view: ["models", "volume", "platform"],
  format: ["stl", "obj", "3mf", "step", "form"],
  "output-format": ["stl", "obj", "3mf", "glb", "form", "png", "webp"],
}));

/** The words after commands that accept no files. */
const WORDS_BEHIND: Readonly<Record<string, readonly string[]>> = { completion: ["bash", "zsh", "fish"] };

/** The server's `--printer` is an address, which cannot be completed. */
const choicesOf = (option: string, isServer: boolean): readonly string[] =>
  isServer ? [] : [...new Set(choicesByOption()[option] ?? [])];

const wordsOf = (options: Options): string[] =>
  Object.entries(options).flatMap(([name, { short }]) => [`--${name}`, ...(short === undefined ? [] : [`-${short}`])]);

const SCRIPTS: Readonly<Record<string, (commands: readonly CompletedCommand[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

function bashScript(commands: readonly CompletedCommand[]): string {
  const names = commands.map(({ name }) => name).join(" ");
  const cases = commands.map(({ name, options }) => {
    const words = [...wordsOf(options), "--help", ...(WORDS_BEHIND[name] ?? [])].join(" ");
    return `    ${name}) words="${words}" ;;`;
  });
  const choices = Object.keys(choicesByOption()).map(
    (option) =>
      `    --${option}) COMPREPLY=($(compgen -W "${choicesOf(option, false).join(" ")}" -- "$word")); return ;;`,
  );
  return `_printwright() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" words=""
  COMPREPLY=()
  if [[ $COMP_CWORD -eq 1 ]]; then
    COMPREPLY=($(compgen -W "${names} help ${wordsOf(SERVER_OPTIONS).join(" ")}" -- "$word"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
    help) words="${names}" ;;
    -*) words="${wordsOf(SERVER_OPTIONS).join(" ")}" ;;
  esac
  [[ "\${COMP_WORDS[1]}" == -* ]] || case "$before" in
${choices.join("\n")}
  esac
  # Other words are files, which -o default completes.
  if [[ "$word" == -* || "\${COMP_WORDS[1]}" == @(help|${Object.keys(WORDS_BEHIND).join("|")}) ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$word"))
  fi
}
complete -o default -o bashdefault -F _printwright printwright`;
}

/** A text in single quotes of the shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

function zshScript(commands: readonly CompletedCommand[]): string {
  const specs = (options: Options, isServer: boolean): string =>
    Object.entries(options)
      .flatMap(([name, { type, short, multiple }]) => {
        const choices = choicesOf(name, isServer);
        const value = type === "boolean" ? "" : `:${name}:${choices.length > 0 ? `(${choices.join(" ")})` : "_files"}`;
        const repeated = multiple ? "*" : "";
        return [`--${name}`, ...(short === undefined ? [] : [`-${short}`])].map((word) =>
          quoted(repeated + word + value),
        );
      })
      .join(" ");
  const cases = commands.map(({ name, options }) => {
    const words = WORDS_BEHIND[name];
    const others = words ? quoted(`1:word:(${words.join(" ")})`) : quoted("*:part:_files");
    return `    ${name}) _arguments ${specs(options, false)} --help ${others} ;;`;
  });
  return `#compdef printwright
_printwright() {
  local -a commands
  commands=(${commands.map(({ name, summary }) => quoted(`${name}:${summary}`)).join(" ")} 'help:explain a command')
  if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
    _describe command commands
    return
  fi
  if [[ $words[2] == -* ]]; then
    _arguments ${specs(SERVER_OPTIONS, true)}
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${cases.join("\n")}
    help) _describe command commands ;;
  esac
}
compdef _printwright printwright`;
}

function fishScript(commands: readonly CompletedCommand[]): string {
  const none = "__fish_use_subcommand";
  const lines = (condition: string, options: Options, isServer: boolean): string[] =>
    Object.entries(options).map(([name, { type, short }]) => {
      const choices = choicesOf(name, isServer);
      const value = type === "boolean" ? "" : choices.length > 0 ? ` -x -a ${quoted(choices.join(" "))}` : " -r";
      const letter = short === undefined ? "" : ` -s ${short}`;
      return `complete -c printwright -n ${quoted(condition)} -l ${name}${letter}${value}`;
    });
  return [
    "complete -c printwright -e",
    ...commands.map(
      ({ name, summary }) => `complete -c printwright -n ${quoted(none)} -f -a ${name} -d ${quoted(summary)}`,
    ),
    `complete -c printwright -n ${quoted(none)} -f -a help -d 'explain a command'`,
    ...lines(none, SERVER_OPTIONS, true),
    ...commands.flatMap(({ name, options }) => lines(`__fish_seen_subcommand_from ${name}`, options, false)),
    ...Object.entries(WORDS_BEHIND).map(
      ([name, words]) =>
        `complete -c printwright -n ${quoted(`__fish_seen_subcommand_from ${name}`)} -f -a ${quoted(words.join(" "))}`,
    ),
  ].join("\n");
}
