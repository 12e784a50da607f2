import type { Progress } from '../runner/run.ts';
import { escapeTerminal } from '../report/escape.ts';

/** One line on a terminal's standard error that is drawn over while a run goes on; nothing where there is none. */
export interface ProgressLine {
  show(progress: Progress): void;
  clear(): void;
}

export function createProgressLine(stream: NodeJS.WriteStream): ProgressLine {
  const erase = '\r\u001b[K';
  const write = (text: string): void => {
    if (stream.isTTY) stream.write(text);
  };
  return {
    show: ({ done, total, current }) => {
      const line = `${done}/${total} ${escapeTerminal(current)}`;
      write(erase + line.slice(0, (stream.columns > 0 ? stream.columns : 80) - 1));
    },
    clear: () => write(erase),
  };
}
