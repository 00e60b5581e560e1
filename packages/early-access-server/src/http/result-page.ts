import { createHash } from 'node:crypto';
import type { SignupResult } from 'early-access-kit/core';
import { ar } from 'early-access-kit/messages/ar';
import { en } from 'early-access-kit/messages/en';
import { es } from 'early-access-kit/messages/es';
import { parseAccept } from 'hono/utils/accept';
import type { BrandOfSite } from '../app/brand.ts';
import { type Palette, palettesOf } from '../app/palette.ts';

export type FormOutcome = SignupResult | 'invalid' | 'failed' | 'no-origin' | 'foreign-origin';
type Language = 'en' | 'es' | 'ar';

export const STATUS_OF_OUTCOME: Readonly<Record<FormOutcome, number>> = {
  created: 201,
  duplicate: 409,
  invalid: 400,
  failed: 400,
  'no-origin': 403,
  'foreign-origin': 403,
};

/** The kit's messages, and texts that only these pages have. */
const TEXTS = {
  en: {
    ...en,
    duplicateText: "There is nothing left to do. We'll email you when the beta is ready.",
    invalidText: 'Go back and check the spelling, for example you@example.com.',
    failedText: 'Go back and send the form once more in a minute.',
    refusedTitle: 'This form cannot sign you up here',
    noOriginText:
      'The page around it does not say which site it belongs to. Open the page in a tab of its own and send the form there. If this is your page: a sandboxed iframe needs “allow-same-origin”, and the page a referrer policy that sends its origin.',
    foreignOriginText:
      'This server does not take signups from the page that you came from. If this is your page, its origin has to be allowed in the settings of the server.',
    back: 'Back to the page',
  },
  es: {
    ...es,
    duplicateText: 'No tienes que hacer nada más. Te escribiremos cuando la beta esté lista.',
    invalidText: 'Vuelve atrás y revisa cómo lo has escrito, por ejemplo tu@ejemplo.com.',
    failedText: 'Vuelve atrás y envía el formulario otra vez dentro de un minuto.',
    refusedTitle: 'Este formulario no puede apuntarte desde aquí',
    noOriginText:
      'La página que lo contiene no indica a qué sitio pertenece. Ábrela en una pestaña propia y envía el formulario desde allí. Si la página es tuya: un iframe con «sandbox» necesita «allow-same-origin», y la página, una política de referencia que envíe su origen.',
    foreignOriginText:
      'Este servidor no acepta inscripciones desde la página de la que vienes. Si la página es tuya, hay que permitir su origen en la configuración del servidor.',
    back: 'Volver a la página',
  },
  ar: {
    ...ar,
    duplicateText: 'لا حاجة إلى أي خطوة أخرى. سنراسلك عبر البريد الإلكتروني عندما تصبح النسخة التجريبية جاهزة.',
    invalidText: 'يُرجى الرجوع والتحقق من كتابة العنوان، مثل you@example.com.',
    failedText: 'يُرجى الرجوع وإرسال النموذج مرة أخرى بعد دقيقة.',
    refusedTitle: 'لا يمكن التسجيل بهذا النموذج من هنا',
    noOriginText:
      'الصفحة التي تحتوي على النموذج لا تذكر الموقع الذي تنتمي إليه. يُرجى فتحها في علامة تبويب مستقلة وإرسال النموذج منها. لأصحاب الصفحة: يحتاج إطار iframe المعزول إلى ”allow-same-origin“، وتحتاج الصفحة إلى سياسة إحالة ترسل مصدرها.',
    foreignOriginText:
      'لا يقبل هذا الخادم التسجيل من الصفحة التي أتيت منها. لأصحاب الصفحة: يجب السماح بمصدرها في إعدادات الخادم.',
    back: 'العودة إلى الصفحة',
  },
} satisfies Record<Language, object>;

function contentOf(outcome: FormOutcome, texts: (typeof TEXTS)[Language]): readonly [title: string, text: string] {
  switch (outcome) {
    case 'created':
      return [texts.successTitle, texts.successText];
    case 'duplicate':
      return [texts.duplicateEmail, texts.duplicateText];
    case 'invalid':
      return [texts.invalidEmail, texts.invalidText];
    case 'failed':
      return [texts.signupFailed, texts.failedText];
    case 'no-origin':
      return [texts.refusedTitle, texts.noOriginText];
    case 'foreign-origin':
      return [texts.refusedTitle, texts.foreignOriginText];
  }
}

/** The first that the pages are written in, of the `lang` field of the form and the browser's Accept-Language; else English. */
export function languageOf(field: string | null, acceptLanguage: string | undefined): Language {
  const accepted = parseAccept((acceptLanguage ?? '').slice(0, 1_000)).filter(({ q }) => q > 0);
  for (const tag of [field ?? '', ...accepted.map(({ type }) => type)]) {
    const [language = ''] = tag.toLowerCase().split('-', 1);
    if (language === 'en' || language === 'es' || language === 'ar') return language;
  }
  return 'en';
}

interface ResultPage {
  readonly outcome: FormOutcome;
  readonly language: Language;
  readonly backLink: string;
}

export interface ResultPages {
  /** With a policy that allows the pages' own style and nothing else. */
  readonly headers: Readonly<Record<string, string>>;
  html(page: ResultPage): string;
}

/** What the form without scripts responds with: pages without scripts, in the colours of the brand. */
export function resultPages({ name, colours }: BrandOfSite): ResultPages {
  const style = styleOf(palettesOf(colours));
  const styleHash = createHash('sha256').update(style).digest('base64');
  return {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'strict-origin-when-cross-origin',
    },
    html({ outcome, language, backLink }) {
      const [title, text] = contentOf(outcome, TEXTS[language]);
      return `<!doctype html>
<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(`${title} · ${name}`)}</title>
<style>${style}</style>
</head>
<body>
<main>
<p class="brand"><bdi>${escapeHtml(name)}</bdi></p>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
<a href="${escapeHtml(backLink)}">${escapeHtml(TEXTS[language].back)}</a>
</main>
</body>
</html>
`;
    },
  };
}

function styleOf({ light, dark }: { readonly light: Palette; readonly dark: Palette }): string {
  const colour = (name: keyof Palette) => `light-dark(${light[name]}, ${dark[name]})`;
  return `
:root { color-scheme: light dark; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: ${colour('paper')};
  color: ${colour('ink')}; font: 1.0625rem/1.6 system-ui, sans-serif; }
main { box-sizing: border-box; width: min(100% - 2rem, 34rem); margin-block: 1rem; padding: clamp(1.5rem, 6vw, 3rem);
  border-radius: 12px; background: ${colour('sheet')}; border: 1px solid ${colour('line')}; overflow-wrap: anywhere; }
h1 { margin: 0 0 .75rem; font-size: clamp(1.5rem, 5vw, 2rem); line-height: 1.2; letter-spacing: -.015em; text-wrap: balance; }
:lang(ar) h1 { letter-spacing: 0; line-height: 1.4; }
p { margin: 0 0 1.75rem; text-wrap: pretty; }
.brand { margin: 0 0 1.25rem; color: ${colour('muted')}; font-size: .9375rem; font-weight: 600; }
a { color: ${colour('link')}; font-weight: 600; text-underline-offset: .2em; }
a:focus-visible { outline: 3px solid currentColor; outline-offset: 4px; border-radius: 2px; }
`;
}

/** For text and double-quoted attributes. Apostrophes stay, as in the kit's messages. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
