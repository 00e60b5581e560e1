import type { OwnPageTexts } from './en.ts';

/** Modern Standard Arabic, with gender-neutral wording if possible. */
export const ar: OwnPageTexts = {
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
};
