import { digestRow } from './digest-row.ts';
import { probe, requestText, withParameters } from './requests.ts';

const nested = (outer: readonly string[]): string => withParameters(`{${outer.join(',')}}`);

/** replay.md §B.1: names are sorted at every depth of a tool definition, arrays keep their order. */
export const canonicalToolSchema = digestRow({
  id: 'cache-key.canonical-tool-schema',
  title: 'The order of names inside a tool definition does not matter at any depth, the order of its arrays does',
  asks: [
    probe('the tool itself', requestText({ tools: '[{"parameters":{},"name":"lookup","description":"d"}]' })),
    probe('names of the parameters', nested(['"type":"object"', '"properties":{}', '"required":[]'])),
    probe(
      'names of the properties',
      nested(['"properties":{"b":{"type":"string"},"a":{"type":"number"}}', '"type":"object"']),
    ),
    probe(
      'names inside a property',
      nested([
        '"properties":{"a":{"type":"object","properties":{"y":{"title":"t","description":"d"},"x":{}}}}',
        '"type":"object"',
      ]),
    ),
    probe('a list in one order', withParameters('{"required":["b","a"],"type":"object"}')),
    probe('a list in the other order', withParameters('{"required":["a","b"],"type":"object"}')),
    probe('objects in a list', withParameters('{"anyOf":[{"type":"string","enum":["b","a"]},{"const":"c"}]}')),
  ],
});
