import path from 'node:path';
import { type Checker, type CheckResult, CheckStatus } from '@stryker-mutator/api/check';
import type { Mutant, StrykerOptions } from '@stryker-mutator/api/core';
import { commonTokens, declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import ts from 'typescript';

/** Unused or unreachable code is normal after a mutation, and no reason to skip it. */
const OPTIONS = { noUnusedLocals: false, noUnusedParameters: false, allowUnreachableCode: true };

/** How many mutants are checked at a time. More do not make it faster, and need more memory. */
const AT_A_TIME = 50;

/**
 * Rejects mutants that do not compile. A language service checks many copies of a file at a time, each with one change,
 * because a new version of a program takes 200 ms, however small the change. Stryker's own checker compiles the project
 * again, which takes a second, with the same results.
 */
class CompileChecker implements Checker {
  static readonly inject: [typeof commonTokens.options] = [commonTokens.options];
  readonly #tsconfig: string;
  /** The original sources, which are mutated. */
  readonly #sources = new Map<string, string>();
  /** The mutated copies, by their path beside the original. */
  readonly #copies = new Map<string, string>();
  /** Files whose unchanged copy compiles. */
  readonly #compiling = new Set<string>();
  #service: ts.LanguageService | undefined;

  constructor(options: StrykerOptions) {
    this.#tsconfig = options.tsconfigFile;
  }

  async init(): Promise<void> {
    const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: throwDiagnostic };
    const config = ts.getParsedCommandLineOfConfigFile(this.#tsconfig, OPTIONS, host);
    if (config === undefined) throw new Error(`${this.#tsconfig} cannot be read`);
    for (const file of config.fileNames) this.#sources.set(path.resolve(file), ts.sys.readFile(file) ?? '');
    this.#service = ts.createLanguageService({
      fileExists: ts.sys.fileExists,
      readFile: ts.sys.readFile,
      readDirectory: ts.sys.readDirectory,
      directoryExists: ts.sys.directoryExists,
      getDirectories: ts.sys.getDirectories,
      getCurrentDirectory: ts.sys.getCurrentDirectory,
      getCompilationSettings: () => config.options,
      getScriptFileNames: () => [...config.fileNames, ...this.#copies.keys()],
      // No two copies have the same path.
      getScriptVersion: () => '',
      getScriptSnapshot: (file) => {
        const text = this.#copies.get(file) ?? this.#sources.get(file) ?? ts.sys.readFile(file);
        return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
      },
      getDefaultLibFileName: ts.getDefaultLibFilePath,
      // Packages are links, and must find their dependencies from their real paths.
      realpath: (file) => ts.sys.realpath?.(file) ?? file,
    });
  }

  async group(mutants: Mutant[]): Promise<string[][]> {
    const groups: string[][] = [];
    for (const file of new Set(mutants.map(({ fileName }) => fileName))) {
      const ids = mutants.filter(({ fileName }) => fileName === file).map(({ id }) => id);
      while (ids.length > 0) groups.push(ids.splice(0, AT_A_TIME));
    }
    return groups;
  }

  async check(mutants: Mutant[]): Promise<Record<string, CheckResult>> {
    const files = [...new Set(mutants.map(({ fileName }) => fileName))].filter((file) => !this.#compiling.has(file));
    this.#copies.clear();
    for (const file of files) this.#copies.set(copyPath(file, 'unchanged'), this.#read(file));
    for (const mutant of mutants) this.#copies.set(copyPath(mutant.fileName, mutant.id), this.#mutate(mutant));
    for (const file of files) {
      // Otherwise all mutants of the file would be rejected.
      const problem = this.#findProblem(copyPath(file, 'unchanged'));
      if (problem !== undefined) throw new Error(`${file} does not compile as it is: ${problem}`);
      this.#compiling.add(file);
    }
    return Object.fromEntries(mutants.map(({ id, fileName }) => [id, this.#checkCopy(copyPath(fileName, id))]));
  }

  #checkCopy(copy: string): CheckResult {
    const reason = this.#findProblem(copy);
    return reason === undefined ? { status: CheckStatus.Passed } : { status: CheckStatus.CompileError, reason };
  }

  #mutate({ fileName, location: { start, end }, replacement }: Mutant): string {
    const source = this.#read(fileName);
    const lines = ts.createSourceFile(fileName, source, ts.ScriptTarget.Latest);
    const offset = ({ line, column }: Mutant['location']['start']) =>
      ts.getPositionOfLineAndCharacter(lines, line, column);
    return source.slice(0, offset(start)) + replacement + source.slice(offset(end));
  }

  #read(fileName: string): string {
    return this.#sources.get(path.resolve(fileName)) ?? '';
  }

  /** Returns the first reason why the file does not compile. */
  #findProblem(file: string): string | undefined {
    if (this.#service === undefined) throw new Error('init comes first');
    const [problem] = [...this.#service.getSyntacticDiagnostics(file), ...this.#service.getSemanticDiagnostics(file)];
    return problem && ts.flattenDiagnosticMessageText(problem.messageText, '\n');
  }
}

/** The copy is beside the original, so that its imports are the same files. */
function copyPath(fileName: string, id: string): string {
  return path.resolve(fileName).replace(/\.ts$/, `.mutant-${id}.ts`);
}

function throwDiagnostic({ messageText }: ts.Diagnostic): never {
  throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
}

/** Stryker looks for this export in a plugin. */
export const strykerPlugins = [declareClassPlugin(PluginKind.Checker, 'compile', CompileChecker)];
