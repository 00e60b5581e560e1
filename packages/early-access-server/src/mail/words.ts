/** What the email says, once for its HTML and its plain text. */
export const SUBJECT = "You're on the list for PrintMargin";
/** The line that mail programs show beside the subject. */
export const PREVIEW = 'We’ll write once more, when the beta is ready.';
/** In two lines, as on a poster. */
export const HEADING = ['You’re on', 'the list.'] as const;

export const THANKS =
  'Thank you for asking for early access to PrintMargin, the profit and pricing calculator for artists who sell ' +
  'print-on-demand prints and canvas.';

export const BENEFITS_HEADING = 'What it will do for you';
export const BENEFITS: readonly (readonly [title: string, text: string])[] = [
  ['The sums, done', 'costs, platform fees, taxes and shipping, worked out automatically.'],
  ['Exact margins', 'what is left of every sale, to the cent.'],
  ['10+ platforms', 'compared side by side.'],
  ['Any currency or region', 'priced wherever you sell.'],
];

export const BEFORE = { label: 'Pricing one piece by hand', time: '4-6 hours' };
export const AFTER = { label: 'With PrintMargin', time: '2-3 minutes' };

export const NEXT_HEADING = 'What happens now';
export const NEXT =
  'Nothing you need to do. We’re still building it, and we’ll write to you once more, when the beta is ready. ' +
  'There is no newsletter in between.';

export const WHY = 'You get this email because this address was entered at';
export const REMOVAL = 'Wasn’t it you, or changed your mind?';
export const REMOVAL_LINK = 'Ask us to take you off the list';
export const REMOVAL_PROMISE = 'and we delete your address.';
