import { llmNode } from './llm.ts';

/** `core.ai.chat`: one turn of text, as `{text}`. */
export const chat = llmNode({
  requestMembers: () => ({}),
  unstaged: () => 'This is the mock model speaking.',
  read: (content) => ({ ok: true, output: { text: typeof content === 'string' ? content : JSON.stringify(content) } }),
});
