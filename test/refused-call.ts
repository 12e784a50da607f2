import { buildProgram } from '../src/cli/main.ts';

/** What stands for a number or for a part where a page shows how a command is called. */
const PLACEHOLDERS: Readonly<Record<string, string>> = { N: '1', MS: '1000', 'i/n': '1/2', SECONDS: '60' };

/** Why commander would refuse a call; undefined where it would run it. */
export async function refusalOf(args: readonly string[]): Promise<string | undefined> {
  const program = buildProgram(() => undefined);
  for (const command of [program, ...program.commands, ...program.commands.flatMap((each) => each.commands)]) {
    command.configureOutput({ writeErr: () => undefined, writeOut: () => undefined });
    if (command !== program) command.action(() => undefined);
  }
  program.action((word?: string) => {
    if (word !== undefined) throw new Error(`${word} is no command`);
  });
  const given = args.map((arg) => PLACEHOLDERS[arg] ?? arg).filter((arg) => arg !== '…');
  try {
    await program.parseAsync(given, { from: 'user' });
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return /^\(output(?:Help|Version)\)$|^\d+\.\d+\.\d+$/u.test(message) ? undefined : `${args.join(' ')}: ${message}`;
  }
}
