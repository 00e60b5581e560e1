import path from 'node:path';
import { type Checker, type CheckResult, CheckStatus } from '@stryker-mutator/api/check';
import type { Mutant, StrykerOptions } from '@stryker-mutator/api/core';
import { commonTokens, declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import ts from 'typescript';

/** Code may be unused or unreachable once something is mutated; that is no reason not to test it. */
const OPTIONS = { noUnusedLocals: false, noUnusedParameters: false, allowUnreachableCode: true };

/**
 * Sorts out mutants that do not compile. Asks a language service about the mutated file alone, which takes about 10 ms;
 * Stryker's own checker compiles the project again, which takes a second, and found the same.
 */
class CompileChecker implements Checker {
  static readonly inject: [typeof commonTokens.options] = [commonTokens.options];
  readonly #tsconfig: string;
  /** As they were at the start, which is what is mutated. */
  readonly #sources = new Map<string, string>();
  /** Mutated files: each change is another version. */
  readonly #mutated = new Map<string, { version: number; text: string }>();
  /** Files that compile as they are. */
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
      getScriptFileNames: () => config.fileNames,
      getScriptVersion: (file) => String(this.#mutated.get(file)?.version ?? 0),
      getScriptSnapshot: (file) => {
        const text = this.#mutated.get(file)?.text ?? this.#sources.get(file) ?? ts.sys.readFile(file);
        return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
      },
      getDefaultLibFileName: ts.getDefaultLibFilePath,
      // Packages are links, and find their own dependencies from where they really are.
      realpath: (file) => ts.sys.realpath?.(file) ?? file,
    });
  }

  async check(mutants: Mutant[]): Promise<Record<string, CheckResult>> {
    return Object.fromEntries(mutants.map((mutant) => [mutant.id, this.#checkOne(mutant)]));
  }

  #checkOne({ fileName, location: { start, end }, replacement }: Mutant): CheckResult {
    if (this.#service === undefined) throw new Error('init comes first');
    const file = path.resolve(fileName);
    if (!this.#compiling.has(file)) {
      this.#mutated.clear();
      // Otherwise no mutant of it would count.
      const problem = findProblem(this.#service, file);
      if (problem !== undefined) throw new Error(`${fileName} does not compile as it is: ${problem}`);
      this.#compiling.add(file);
    }
    const source = this.#sources.get(file) ?? '';
    const lines = ts.createSourceFile(file, source, ts.ScriptTarget.Latest);
    const offset = ({ line, column }: Mutant['location']['start']) =>
      ts.getPositionOfLineAndCharacter(lines, line, column);
    const version = (this.#mutated.get(file)?.version ?? 0) + 1;
    this.#mutated.clear();
    this.#mutated.set(file, {
      version,
      text: source.slice(0, offset(start)) + replacement + source.slice(offset(end)),
    });
    const reason = findProblem(this.#service, file);
    return reason === undefined ? { status: CheckStatus.Passed } : { status: CheckStatus.CompileError, reason };
  }
}

/** The first reason why the file does not compile. */
function findProblem(service: ts.LanguageService, file: string): string | undefined {
  const [problem] = [...service.getSyntacticDiagnostics(file), ...service.getSemanticDiagnostics(file)];
  return problem && ts.flattenDiagnosticMessageText(problem.messageText, '\n');
}

function throwDiagnostic({ messageText }: ts.Diagnostic): never {
  throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
}

/** Stryker looks for this export in a plugin. */
export const strykerPlugins = [declareClassPlugin(PluginKind.Checker, 'compile', CompileChecker)];
