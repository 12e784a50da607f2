import { digestRow } from './digest-row.ts';
import { either, probe, requestText } from './requests.ts';

function withTools(...names: readonly string[]): string {
  const tools = names.map((name) => `{"name":${JSON.stringify(name)},"parameters":{}}`);
  return requestText({ tools: `[${tools.join(',')}]` });
}

const twice = [
  '{"description":"one","name":"lookup","parameters":{}}',
  '{"description":"two","name":"lookup","parameters":{}}',
];

/** replay.md §B.1, with readings.md: by UTF-16 code unit, since any other order depends on the machine. */
export const sortsTools = digestRow({
  id: 'cache-key.sorts-tools',
  title: 'Tools are hashed in ascending order of their names, compared by UTF-16 code unit',
  asks: [
    probe('already in order', withTools('a', 'b')),
    probe('b before a', withTools('b', 'a')),
    probe('a before Z', withTools('a', 'Z')),
    probe('get_weather before getWeather', withTools('get_weather', 'getWeather')),
    probe('underscores between cases', withTools('get_b', 'getB', 'geta', 'getA')),
    probe('numbers by value', withTools('tool2', 'tool10', 'tool1')),
    probe('a hyphen and a dot', withTools('a.b', 'a-b', 'ab', 'a_b')),
    probe('an accent', withTools('z', '\u00e9', 'f')),
    probe('a decomposed accent', withTools('f', 'e\u0301')),
    probe('U+FB33 before U+1F600', withTools('\ufb33', '\u{1f600}')),
    probe(
      'the order of names, not of descriptions',
      requestText({
        tools: '[{"description":"a","name":"y","parameters":{}},{"description":"b","name":"x","parameters":{}}]',
      }),
    ),
    {
      name: 'two tools of one name',
      part: 'either',
      request: requestText({ tools: `[${twice.join(',')}]` }),
    },
    either(
      'two tools of one name, turned round',
      requestText({ tools: `[${twice.toReversed().join(',')}]` }),
      'two tools of one name',
    ),
  ],
});
