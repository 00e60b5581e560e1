import type { Inbox } from 'early-access-kit/core';
import { ar } from 'early-access-kit/messages/ar';
import { en } from 'early-access-kit/messages/en';
import { es } from 'early-access-kit/messages/es';
import { ConfigError } from '../../app/access/host-mistakes.ts';
import { LANGUAGES, type Language } from '../../app/brand/language.ts';
import { findNearest } from '../../app/list/nearest-name.ts';
import { findWebmail } from '../../app/signup/webmail.ts';
import { escapeHtml } from '../../mail/templates/escape-html.ts';

/** The kit's messages, and texts that only the server's own pages have. */
const PAGE_TEXTS = {
  en: {
    ...en,
    unconfirmedText: 'We sent you an email. Open the link in it to confirm your address.',
    duplicateText: "There is nothing left to do. We'll email you when the beta is ready.",
    invalidText: 'Go back and check the address. It should look like you@example.com.',
    missingFieldTitle: 'Something is missing',
    missingFieldText: 'Go back and complete this field:',
    invalidFieldTitle: 'Something needs a change',
    invalidFieldText: 'Go back and check this field:',
    failedText: 'Go back and send the form once more in a minute.',
    refusedTitle: 'This form cannot sign you up here',
    noOriginText:
      'The page around it does not say which site it belongs to. Open the page in a tab of its own and send the form there. If this is your page: a sandboxed iframe needs “allow-same-origin”, and the page a referrer policy that sends its origin.',
    foreignOriginText:
      'This server does not take signups from the page that you came from. If this is your page, its origin has to be allowed in the settings of the server.',
    confirmTitle: 'Confirm your email address',
    confirmText: 'One click, and you are on the list.',
    confirmButton: 'Confirm',
    confirmNeedsScripts: 'This page needs JavaScript. Turn it on, or open the link in another browser.',
    alreadyConfirmedTitle: 'You are on the list already!',
    expiredTitle: 'This link has expired',
    expiredText: 'A confirmation link works for a week. We can send you a new one.',
    renewButton: 'Send a new link',
    openInbox: 'Open your inbox',
    renewedTitle: 'Check your inbox',
    renewedText: 'If your address is not confirmed yet, a new email is on its way.',
    unknownTitle: 'This link does not work',
    unknownText: 'It may be incomplete: open it again from the email, or copy all of it.',
    tryLater: 'That did not work. Please try again in a minute.',
    unsubscribeTitle: 'Unsubscribe?',
    unsubscribeText: 'You will get no more emails from us.',
    unsubscribeButton: 'Unsubscribe',
    unsubscribedTitle: 'You are unsubscribed',
    unsubscribedText: 'You will get no more emails from us. If you change your mind, sign up again on our page.',
    back: 'Back to the page',
  },
  es: {
    ...es,
    unconfirmedText: 'Te hemos enviado un correo. Abre el enlace que contiene para confirmar tu dirección.',
    duplicateText: 'No tienes que hacer nada más. Te escribiremos cuando la beta esté lista.',
    invalidText: 'Vuelve atrás y revisa cómo lo has escrito, por ejemplo tu@ejemplo.com.',
    missingFieldTitle: 'Falta algo',
    missingFieldText: 'Vuelve atrás y completa este campo:',
    invalidFieldTitle: 'Hay algo que corregir',
    invalidFieldText: 'Vuelve atrás y revisa este campo:',
    failedText: 'Vuelve atrás y envía el formulario otra vez dentro de un minuto.',
    refusedTitle: 'Este formulario no puede apuntarte desde aquí',
    noOriginText:
      'La página que lo contiene no indica a qué sitio pertenece. Ábrela en una pestaña propia y envía el formulario desde allí. Si la página es tuya: un iframe con «sandbox» necesita «allow-same-origin», y la página, una política de referencia que envíe su origen.',
    foreignOriginText:
      'Este servidor no acepta inscripciones desde la página de la que vienes. Si la página es tuya, hay que permitir su origen en la configuración del servidor.',
    confirmTitle: 'Confirma tu correo electrónico',
    confirmText: 'Un clic y estarás en la lista.',
    confirmButton: 'Confirmar',
    confirmNeedsScripts: 'Esta página necesita JavaScript. Actívalo o abre el enlace en otro navegador.',
    alreadyConfirmedTitle: '¡Ya estás en la lista!',
    expiredTitle: 'Este enlace ha caducado',
    expiredText: 'Los enlaces de confirmación funcionan durante una semana. Podemos enviarte uno nuevo.',
    renewButton: 'Enviar un enlace nuevo',
    openInbox: 'Abrir el correo',
    renewedTitle: 'Revisa tu correo',
    renewedText: 'Si tu dirección aún no está confirmada, te llegará un nuevo correo.',
    unknownTitle: 'Este enlace no funciona',
    unknownText: 'Puede que esté incompleto: ábrelo otra vez desde el correo o cópialo entero.',
    tryLater: 'No ha funcionado. Inténtalo otra vez dentro de un minuto.',
    unsubscribeTitle: '¿Darte de baja?',
    unsubscribeText: 'No recibirás más correos nuestros.',
    unsubscribeButton: 'Darme de baja',
    unsubscribedTitle: 'Te has dado de baja',
    unsubscribedText: 'No recibirás más correos nuestros. Si cambias de opinión, apúntate otra vez en nuestra página.',
    back: 'Volver a la página',
  },
  ar: {
    ...ar,
    unconfirmedText: 'أرسلنا رسالة إلى بريدك الإلكتروني. يُرجى فتح الرابط الوارد فيها لتأكيد العنوان.',
    duplicateText: 'لا حاجة إلى أي خطوة أخرى. سنراسلك عبر البريد الإلكتروني عندما تصبح النسخة التجريبية جاهزة.',
    invalidText: 'يُرجى الرجوع والتحقق من كتابة العنوان، مثل you@example.com.',
    missingFieldTitle: 'النموذج غير مكتمل',
    missingFieldText: 'يُرجى الرجوع وإكمال هذا الحقل:',
    invalidFieldTitle: 'يوجد ما يحتاج إلى تصحيح',
    invalidFieldText: 'يُرجى الرجوع والتحقق من هذا الحقل:',
    failedText: 'يُرجى الرجوع وإرسال النموذج مرة أخرى بعد دقيقة.',
    refusedTitle: 'لا يمكن التسجيل بهذا النموذج من هنا',
    noOriginText:
      'الصفحة التي تحتوي على النموذج لا تذكر الموقع الذي تنتمي إليه. يُرجى فتحها في علامة تبويب مستقلة وإرسال النموذج منها. لأصحاب الصفحة: يحتاج إطار iframe المعزول إلى ”allow-same-origin“، وتحتاج الصفحة إلى سياسة إحالة ترسل مصدرها.',
    foreignOriginText:
      'لا يقبل هذا الخادم التسجيل من الصفحة التي أتيت منها. لأصحاب الصفحة: يجب السماح بمصدرها في إعدادات الخادم.',
    confirmTitle: 'تأكيد البريد الإلكتروني',
    confirmText: 'نقرة واحدة وتكتمل الإضافة إلى القائمة.',
    confirmButton: 'تأكيد',
    confirmNeedsScripts: 'تحتاج هذه الصفحة إلى JavaScript. يُرجى تفعيله أو فتح الرابط في متصفح آخر.',
    alreadyConfirmedTitle: 'هذا العنوان مضاف إلى القائمة من قبل!',
    expiredTitle: 'انتهت صلاحية هذا الرابط',
    expiredText: 'يعمل رابط التأكيد لمدة أسبوع. يمكننا إرسال رابط جديد.',
    renewButton: 'إرسال رابط جديد',
    openInbox: 'فتح صندوق الوارد',
    renewedTitle: 'يُرجى التحقق من صندوق الوارد',
    renewedText: 'إذا لم يُؤكَّد العنوان بعد، فستصل رسالة جديدة قريبًا.',
    unknownTitle: 'هذا الرابط لا يعمل',
    unknownText: 'قد يكون الرابط ناقصًا: يُرجى فتحه مرة أخرى من الرسالة أو نسخه كاملًا.',
    tryLater: 'لم تنجح العملية. يُرجى المحاولة مرة أخرى بعد دقيقة.',
    unsubscribeTitle: 'إلغاء الاشتراك؟',
    unsubscribeText: 'لن تصل رسائل أخرى منا.',
    unsubscribeButton: 'إلغاء الاشتراك',
    unsubscribedTitle: 'تم إلغاء الاشتراك',
    unsubscribedText: 'لن تصل رسائل أخرى منا. يمكن التسجيل من جديد في صفحتنا في أي وقت.',
    back: 'العودة إلى الصفحة',
  },
} satisfies Record<Language, object>;

type TextName = keyof (typeof PAGE_TEXTS)['en'];

/** The texts of the pages in one language. */
export type PageTexts = Readonly<Record<TextName, string>>;
export type AllPageTexts = Readonly<Record<Language, PageTexts>>;

/** A host's texts for the pages that the server itself writes, by language: `{ "en": { "confirmTitle": "One more step" } }`. */
export type ServerTexts = { readonly [Name in Language]?: Partial<PageTexts> | undefined };

/** The texts of the pages with the host's in their place. Throws a `ConfigError` that names the nearest key if one is not known. */
export function resolveTexts(own: ServerTexts = {}): AllPageTexts {
  for (const [language, texts] of Object.entries(own)) {
    checkKey('texts', language, LANGUAGES);
    for (const [name, text] of Object.entries(texts ?? {})) {
      checkKey(`texts.${language}`, name, Object.keys(PAGE_TEXTS.en));
      if (typeof text !== 'string' || text.trim() === '') {
        throw new ConfigError(`texts.${language}.${name} (PAGE_TEXTS) must be a text that is not empty`);
      }
    }
  }
  return {
    en: { ...PAGE_TEXTS.en, ...own.en },
    es: { ...PAGE_TEXTS.es, ...own.es },
    ar: { ...PAGE_TEXTS.ar, ...own.ar },
  };
}

function checkKey(part: string, key: string, keys: readonly string[]): void {
  if (keys.includes(key)) return;
  throw new ConfigError(`${part}.${key} (PAGE_TEXTS) does not exist; did you mean ${findNearest(key, keys)?.name}?`);
}

/** The HTML of the link to the page that the visitor came from. */
export function linkBack({ back }: PageTexts, url: string): string {
  return `<a href="${escapeHtml(url)}">${escapeHtml(back)}</a>`;
}

/** The texts for a visitor who has to confirm this address. */
export function inboxTexts(email: string, { renewedTitle, unconfirmedText, openInbox }: PageTexts): Inbox {
  const url = findWebmail(email);
  return { successTitle: renewedTitle, successText: unconfirmedText, ...(url && { link: openInbox, url }) };
}
