import { Switch } from '@base-ui/react/switch';
import { type ReactNode, useId } from 'react';
import ui from '../ui/ui.module.css';
import styles from './settings.module.css';

interface SwitchSettingProps {
  readonly name: string;
  readonly hint: ReactNode;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

/** A switch that takes effect immediately. */
export function SwitchSetting({ name, hint, checked, onChange }: SwitchSettingProps) {
  const id = useId();
  return (
    <div className={styles.setting}>
      <div className={styles.text}>
        <span id={id}>{name}</span>
        <span id={`${id}-hint`} className={ui.hint}>
          {hint}
        </span>
      </div>
      <Switch.Root
        className={styles.switch}
        aria-labelledby={id}
        aria-describedby={`${id}-hint`}
        checked={checked}
        onCheckedChange={onChange}
      >
        <Switch.Thumb className={styles.thumb} />
      </Switch.Root>
    </div>
  );
}
