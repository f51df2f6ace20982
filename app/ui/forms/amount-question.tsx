import { useNavigation } from '@remix-run/react';
import { useEffect, useId, useRef, useState, type MouseEvent, type ReactNode } from 'react';
import { MEANT_AMOUNT, valuesOfMeant, type AmountControls, type Slip } from '#app/domain/units/meant-mcg.ts';
import { Button } from '#app/ui/button.tsx';
import { Measured } from '#app/ui/figure.tsx';
import { Icon } from '#app/ui/icon.tsx';

interface AmountQuestionProps {
  /** The title if no amount is unusual. */
  title: string;
  /** What to know, in whole sentences. */
  messages: readonly string[];
  /** The unusual amount, if the question is about one beside a planned or usual one. */
  slip: Slip | undefined;
  /** Asked just now: the question takes the focus. */
  isOpen: boolean;
  /** What the button that saves it does: "Log" in "Log 2,500 mcg". */
  verb: string;
  /** The label of that button if no amount is unusual. */
  anyway: string;
  /** Name and value of that button, for a form with several. */
  name?: string | undefined;
  value?: string | undefined;
  disabled?: boolean;
  type?: 'submit' | 'button';
  onConfirm?: () => void;
  /** The controls of the amount. */
  controls: AmountControls;
  /** Other buttons of the form. */
  more?: ReactNode;
  /** Hidden fields that confirm what is asked. */
  children?: ReactNode;
  /** The form's own buttons, shown once the amount was changed. */
  instead: ReactNode;
}

/** Moves the focus to a question that was just asked, and the question with its buttons into view. */
function useAttention(isOpen: boolean, messages: string) {
  const box = useRef<HTMLDivElement>(null);
  const { state } = useNavigation();
  useEffect(() => {
    // The answer is shown before the navigation ends, and its end scrolls the page to the top.
    if (!isOpen || messages === '' || state !== 'idle') return;
    box.current?.focus({ preventScroll: true });
    box.current?.scrollIntoView({ block: 'center' });
  }, [isOpen, messages, state]);
  return box;
}

/** Changes the controls of an amount in the page. */
function changeControls(form: HTMLFormElement, slip: Slip, controls: AmountControls): void {
  for (const [name, value] of valuesOfMeant(slip.meant, controls)) {
    const control = form.elements.namedItem(name);
    if (!(control instanceof HTMLInputElement || control instanceof HTMLSelectElement)) continue;
    control.value = value;
    control.dispatchEvent(new InputEvent('input', { bubbles: true }));
  }
  const amount = form.elements.namedItem(controls.amount);
  if (amount instanceof HTMLInputElement) amount.focus();
}

/**
 * A question before something is saved, in place of the form's buttons, so that the answers stand directly below it. With an
 * unusual amount, the first answer changes it to the planned one. Without scripts that button sends the form, and
 * `takeMeantUnit` changes it on the server.
 */
export function AmountQuestion(props: AmountQuestionProps) {
  const { title, messages, slip, isOpen, verb, anyway, controls, more, children, instead } = props;
  const id = useId();
  const text = messages.join(' ');
  const box = useAttention(isOpen, text);
  const [changed, setChanged] = useState<string | null>(null);
  if (messages.length === 0 || changed === text) return <>{instead}</>;
  const change = (event: MouseEvent<HTMLButtonElement>) => {
    const { form } = event.currentTarget;
    if (form === null || slip === undefined) return;
    event.preventDefault();
    changeControls(form, slip, controls);
    setChanged(text);
  };
  const confirm = props.onConfirm === undefined ? {} : { onClick: props.onConfirm };
  return (
    <div
      ref={box}
      role="group"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      tabIndex={-1}
      // Without scripts the browser itself moves here after the answer.
      // oxlint-disable-next-line jsx-a11y/no-autofocus
      autoFocus={isOpen}
      className="amount-question notice notice-warning"
    >
      <Icon name="warning" />
      <div className="min-w-0 flex-1">
        <div role="alert">
          <p id={`${id}-title`} className="font-semibold">
            {slip ? <Measured text={slip.words} /> : title}
          </p>
          <div id={`${id}-text`}>
            {messages.map((message) => (
              <p key={message}>
                <Measured text={message} />
              </p>
            ))}
          </div>
        </div>
        {children}
        <div className="mt-3 flex flex-wrap gap-3">
          {slip ? (
            <Button name={MEANT_AMOUNT} value={slip.meant} variant="primary" onClick={change}>
              {`Change to ${slip.meant}`}
            </Button>
          ) : null}
          <Button
            type={props.type ?? 'submit'}
            name={props.name}
            value={props.value}
            variant={slip ? 'danger' : 'primary'}
            disabled={props.disabled}
            {...confirm}
          >
            {slip ? `${verb} ${slip.typed}` : anyway}
          </Button>
          {more}
        </div>
      </div>
    </div>
  );
}
