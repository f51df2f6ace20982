/** A sentence in which the parts between backticks are code. */
export function CodedText({ children }: { children: string }) {
  return children
    .split('`')
    .map((part, index) =>
      index % 2 === 1 ? <code key={index}>{part}</code> : <span key={index}>{part}</span>,
    );
}
