/** Questions that the server must hear in the order in which they were asked. */

/** Whether nothing was asked since. */
type IsLast = () => boolean;

/**
 * Send one question at a time, and of those that wait only the last.
 *
 * For what the server remembers: two at once may come in the wrong order, and then the server
 * would go by the older one. The promise is kept once nothing waits any more.
 */
export function inTurn<Q>(send: (question: Q, isLast: IsLast) => Promise<void>): (question: Q) => Promise<void> {
  let waiting: { readonly question: Q } | null = null;
  let sending: Promise<void> | null = null;
  const sendAll = async () => {
    while (waiting) {
      const { question }: { readonly question: Q } = waiting;
      waiting = null;
      await send(question, () => waiting === null);
    }
  };
  return (question) => {
    waiting = { question };
    sending ??= sendAll().finally(() => (sending = null));
    return sending;
  };
}
