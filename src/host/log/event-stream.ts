import { createParser, type EventSourceMessage } from 'eventsource-parser';

/**
 * Reads the text of an event stream, in whatever pieces it comes. A line ends with CR, LF or both, and a CR that is the last of what
 * has come ends its line at once: whoever waits for the next piece would miss the last event.
 */
export function createStreamParser(onEvent: (message: EventSourceMessage) => void): { feed(text: string): void } {
  const parser = createParser({ onEvent });
  let isAfterReturn = false;
  return {
    feed: (text) => {
      const own = isAfterReturn && text.startsWith('\n') ? text.slice(1) : text;
      if (text !== '') isAfterReturn = text.endsWith('\r');
      parser.feed(own.replaceAll(/\r\n?/gu, '\n'));
    },
  };
}
