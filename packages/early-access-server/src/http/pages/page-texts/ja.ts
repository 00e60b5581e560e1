import type { OwnPageTexts } from './en.ts';

/** Japanese, in the polite form. */
export const ja: OwnPageTexts = {
  unconfirmedText: '確認メールをお送りしました。メール内のリンクを開いて、メールアドレスの確認を完了してください。',
  duplicateText: 'これ以上の操作は必要ありません。ベータ版の準備ができましたら、メールでお知らせします。',
  invalidText: '前のページに戻り、name@example.com のような形式になっているかご確認ください。',
  missingFieldTitle: '入力されていない項目があります',
  missingFieldText: '前のページに戻り、次の項目を入力してください：',
  invalidFieldTitle: '修正が必要な項目があります',
  invalidFieldText: '前のページに戻り、次の項目を確認してください：',
  failedText: '前のページに戻り、1分ほど待ってからフォームをもう一度送信してください。',
  refusedTitle: 'このフォームからは登録できません',
  noOriginText:
    'フォームを含むページが、どのサイトのものかを示していません。ページを別のタブで開き、そこからフォームを送信してください。ページの管理者の方へ：sandbox属性のあるiframeには「allow-same-origin」が、ページにはオリジンを送信するリファラーポリシーが必要です。',
  foreignOriginText:
    'このサーバーは、アクセス元のページからの登録を受け付けていません。ページの管理者の方は、サーバーの設定でそのオリジンを許可してください。',
  confirmTitle: 'メールアドレスの確認',
  confirmText: 'ボタンを押すと、リストへの登録が完了します。',
  confirmButton: '確認する',
  confirmNeedsScripts: 'このページにはJavaScriptが必要です。有効にするか、別のブラウザーでリンクを開いてください。',
  alreadyConfirmedTitle: 'すでにリストに登録されています',
  expiredTitle: 'リンクの有効期限が切れています',
  expiredText: '確認リンクの有効期間は1週間です。新しいリンクをお送りすることができます。',
  renewButton: '新しいリンクを送信',
  openInbox: '受信トレイを開く',
  renewedTitle: '受信トレイをご確認ください',
  renewedText: 'メールアドレスの確認がまだお済みでない場合は、まもなく新しいメールが届きます。',
  unknownTitle: 'このリンクは無効です',
  unknownText: 'リンクが途中で切れている可能性があります。メールからもう一度開くか、全体をコピーしてください。',
  tryLater: '処理できませんでした。1分ほど待ってから、もう一度お試しください。',
  unsubscribeTitle: '配信を停止しますか？',
  unsubscribeText: '今後、メールは届かなくなります。',
  unsubscribeButton: '配信を停止する',
  unsubscribedTitle: '配信を停止しました',
  unsubscribedText: '今後、メールは届かなくなります。再開するには、ページからもう一度ご登録ください。',
  back: 'ページに戻る',
};
