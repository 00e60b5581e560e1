import type { Meta, StoryObj } from '@storybook/react-vite';
import { EarlyAccessProvider, SignupForm, type SignupFormProps, type StorageAdapter } from 'early-access-kit';
import { memoryAdapter, memoryStore } from 'early-access-kit/adapters/memory';
import { StorageError } from 'early-access-kit/core';
import { useState } from 'react';
import { expect, waitFor } from 'storybook/test';

interface FormOnPageProps extends SignupFormProps {
  /** A store of its own for each showing. */
  createAdapter: () => StorageAdapter;
}

function FormOnPage({ createAdapter, ...form }: FormOnPageProps) {
  const [adapter] = useState(createAdapter);
  return (
    <EarlyAccessProvider adapter={adapter}>
      <main style={{ maxInlineSize: '32rem' }}>
        <SignupForm {...form} />
      </main>
    </EarlyAccessProvider>
  );
}

/** The early-access form in each of its states. Every one is reached as a visitor reaches it. */
const meta = {
  title: 'SignupForm',
  component: FormOnPage,
  args: {
    variant: 'hero',
    // A script fills the form in faster than a person can.
    botGuard: false,
    createAdapter: () => memoryAdapter(),
  },
  argTypes: {
    variant: { control: 'radio', options: ['hero', 'bottom'] },
    createAdapter: { control: false },
  },
} satisfies Meta<typeof FormOnPage>;

export default meta;

type Story = StoryObj<typeof meta>;

export const Idle: Story = {
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('button', { name: 'Join the beta' })).toBeEnabled();
    await expect(canvas.getByLabelText('Email address')).toHaveValue('');
  },
};

/** The hero form explains an invalid address until the next keystroke. */
export const InvalidInHero: Story = {
  play: async ({ canvas, userEvent }) => {
    const field = canvas.getByLabelText('Email address');
    await userEvent.type(field, 'ada.example.org{Enter}');
    await expect(canvas.getByText('Please enter a valid email address')).toBeVisible();
    await expect(field).toHaveAttribute('aria-invalid', 'true');
    await expect(field).toHaveFocus();
  },
};

/** The bottom form blocks an invalid address without a word. */
export const InvalidInBottomForm: Story = {
  args: { variant: 'bottom' },
  play: async ({ canvas, userEvent }) => {
    const field = canvas.getByLabelText('Email address');
    await userEvent.type(field, 'ada.example.org{Enter}');
    await expect(canvas.queryByText('Please enter a valid email address')).toBeNull();
    await expect(field).toHaveAttribute('aria-invalid', 'false');
    await expect(canvas.getByRole('button', { name: 'Join the beta' })).toBeEnabled();
  },
};

export const Submitting: Story = {
  args: { createAdapter: () => memoryAdapter({ before: () => new Promise(() => {}) }) },
  play: async ({ canvas, userEvent }) => {
    await userEvent.type(canvas.getByLabelText('Email address'), 'ada@example.org{Enter}');
    await expect(canvas.getByRole('button', { name: 'Joining...' })).toBeDisabled();
  },
};

export const Success: Story = {
  play: async ({ canvas, userEvent }) => {
    await userEvent.type(canvas.getByLabelText('Email address'), 'ada@example.org{Enter}');
    await waitFor(() => expect(canvas.getByText("You're on the list!")).toBeVisible());
    await expect(canvas.getByText("We'll email you when the beta is ready.")).toBeVisible();
    await waitFor(() => expect(canvas.getByText('Thanks for signing up! Check your email for updates.')).toBeVisible());
  },
};

/** The address is on the list already. */
export const Duplicate: Story = {
  args: {
    createAdapter: () => {
      const store = memoryStore();
      store.signups.set('ada@example.org', {
        email: 'ada@example.org',
        session_id: null,
        source: 'landing_page',
        referrer: null,
        submission_id: 'an-earlier-one',
        created_at: 0,
      });
      return memoryAdapter({ store });
    },
  },
  play: async ({ canvas, userEvent }) => {
    await userEvent.type(canvas.getByLabelText('Email address'), 'Ada@Example.org{Enter}');
    await waitFor(() => expect(canvas.getByText('This email is already registered!')).toBeVisible());
    await waitFor(() => expect(canvas.getByRole('button', { name: 'Join the beta' })).toBeEnabled());
    await expect(canvas.getByLabelText('Email address')).toHaveValue('Ada@Example.org');
  },
};

/** The store cannot be reached: nothing is lost of what was typed. */
export const Failure: Story = {
  args: {
    createAdapter: () =>
      memoryAdapter({
        before: () => {
          throw new StorageError('unavailable', 'the store is down');
        },
      }),
  },
  play: async ({ canvas, userEvent }) => {
    await userEvent.type(canvas.getByLabelText('Email address'), 'ada@example.org{Enter}');
    await waitFor(() => expect(canvas.getByText('Something went wrong. Please try again.')).toBeVisible());
    await waitFor(() => expect(canvas.getByRole('button', { name: 'Join the beta' })).toBeEnabled());
    await expect(canvas.getByLabelText('Email address')).toHaveValue('ada@example.org');
  },
};
