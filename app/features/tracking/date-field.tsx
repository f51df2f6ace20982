/** When an entry was, in the margin: the day, and the time under it where there is room. */
export function When({ at, shown }: { at: string; shown: string }) {
  const [day, time] = shown.split(', ');
  return (
    <time dateTime={at} className="history-when">
      <span className="figure">{day}</span> {time ? <span className="figure">{time}</span> : null}
    </time>
  );
}
