import type { OwnPageTexts } from './en.ts';

/** Spanish, addressing the visitor as «tú». */
export const es: OwnPageTexts = {
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
};
