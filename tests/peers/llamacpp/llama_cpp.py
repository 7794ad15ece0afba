#!/usr/bin/env python3
"""llama.cpp as a peer: its quantizer and its forward pass, called through ctypes.

    llama_cpp.py quantize SOURCE.gguf TYPE TARGET.gguf [--pure]
    llama_cpp.py logits MODEL.gguf --ids 1,2,3 --out LOGITS.npy

TYPE is a name of FILE_TYPES; F32 expands a quantized file. --pure gives every matrix that type, not
the mixture that the name stands for. The logits are those after each id, float32, [ids, vocabulary].

The library is found in --library FOLDER or $TOKENSCOPE_LLAMA_CPP, or else fetched by
fetch_llama_cpp.sh into build/peers. Exit status 77 (a skipped test) where it cannot be had.
Structures and calls are those of llama.h in llama.cpp's release inside node-llama-cpp 3.21.1.
"""
import argparse, ctypes, glob, os, subprocess, sys

try:
    import numpy
except ImportError:
    print("skipped: python3-numpy is not installed", file=sys.stderr)
    sys.exit(77)

HERE = os.path.dirname(os.path.abspath(__file__))
SKIPPED = 77

# llama_ftype: what a whole file is called.
FILE_TYPES = {"F32": 0, "F16": 1, "Q4_0": 2, "Q4_1": 3, "Q8_0": 7, "Q5_0": 8, "Q5_1": 9, "Q2_K": 10, "Q3_K_S": 11, "Q3_K_M": 12, "Q3_K_L": 13,
              "Q4_K_S": 14, "Q4_K_M": 15, "Q5_K_S": 16, "Q5_K_M": 17, "Q6_K": 18, "IQ4_NL": 25, "IQ4_XS": 30, "BF16": 32}
# ggml_type: how one tensor is stored.
TENSOR_TYPES = {"F32": 0, "F16": 1, "Q4_0": 2, "Q4_1": 3, "Q5_0": 6, "Q5_1": 7, "Q8_0": 8, "Q2_K": 10, "Q3_K": 11, "Q4_K": 12, "Q5_K": 13, "Q6_K": 14,
                "IQ4_NL": 20, "IQ4_XS": 23, "BF16": 30}


class Unavailable(Exception):
    """llama.cpp cannot be had here; the text says why."""


# ------------------------------------------------------------------ the library's structures

def structure(name, *fields):
    """A C struct: each field is 'type name name ...'."""
    kinds = {"int": ctypes.c_int32, "unsigned": ctypes.c_uint32, "float": ctypes.c_float, "bool": ctypes.c_bool, "pointer": ctypes.c_void_p, "size": ctypes.c_size_t}
    listed = [(member, kinds[line.split()[0]]) for line in fields for member in line.split()[1:]]
    return type(name, (ctypes.Structure,), {"_fields_": listed})


ModelParams = structure("ModelParams", "pointer devices buffer_types", "int gpu_layers split_mode load_mode lazy_mode main_gpu",
                        "pointer tensor_split progress progress_data overrides", "bool vocabulary_only check_tensors repack no_host no_alloc load_mtp")
ContextParams = structure("ContextParams", "unsigned context batch micro_batch sequences snapshots outputs outputs_per_sequence",
                          "int threads batch_threads kind rope_scaling pooling attention flash_attention",
                          "float rope_base rope_scale yarn_extension yarn_attention yarn_fast yarn_slow", "unsigned yarn_context", "float defragment",
                          "pointer on_node on_node_data", "int key_type value_type", "pointer abort abort_data",
                          "bool embeddings offload_cache no_timings offload_operations full_window_cache unified_cache",
                          "pointer samplers", "size sampler_count", "pointer other")
QuantizeParams = structure("QuantizeParams", "int threads file_type output_type embedding_type",
                           "bool requantize quantize_output only_copy pure keep_split dry_run", "pointer importance overrides tensor_overrides pruned_layers",
                           "size buffer")
TensorOverride = structure("TensorOverride", "pointer pattern", "int type")
Batch = structure("Batch", "int count", "pointer tokens embeddings positions sequence_counts sequences wanted")
TypeTraits = structure("TypeTraits", "pointer name", "size block interleave bytes", "bool quantized", "pointer to_float from_float")
ON_LOG = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p)
TO_FLOAT = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)

_loaded = None
_quiet = ON_LOG(lambda level, text, data: None)


def library_folder():
    folder = os.environ.get("TOKENSCOPE_LLAMA_CPP")
    if folder:
        return folder
    build = os.path.join(HERE, "..", "..", "..", "build", "peers", "llamacpp")
    fetched = subprocess.run([os.path.join(HERE, "fetch_llama_cpp.sh"), build], capture_output=True, text=True)
    if fetched.returncode != 0:
        raise Unavailable(fetched.stderr.strip())
    return fetched.stdout.strip()


def open_library(folder, stem):
    found = sorted(glob.glob(os.path.join(folder, stem + ".so")) + glob.glob(os.path.join(folder, stem + ".v*.so")))
    if not found:
        raise Unavailable(f"no {stem} in {folder}")
    return ctypes.CDLL(found[0], mode=ctypes.RTLD_GLOBAL)


def libraries(folder=None):
    """(libllama, libggml-base), loaded once and silent."""
    global _loaded
    if _loaded:
        return _loaded
    folder = folder or library_folder()
    try:
        base = open_library(folder, "libggml-base")
        ggml = open_library(folder, "libggml")
        llama = open_library(folder, "libllama")
    except OSError as error:
        raise Unavailable(str(error))
    p, i, u, b, s, n = ctypes.c_void_p, ctypes.c_int32, ctypes.c_uint32, ctypes.c_bool, ctypes.c_char_p, ctypes.c_int64
    for lib, name, result, arguments in (
            (llama, "llama_model_default_params", ModelParams, []), (llama, "llama_context_default_params", ContextParams, []),
            (llama, "llama_model_quantize_default_params", QuantizeParams, []), (llama, "llama_log_set", None, [ON_LOG, p]),
            (llama, "llama_model_load_from_file", p, [s, ModelParams]), (llama, "llama_init_from_model", p, [p, ContextParams]),
            (llama, "llama_model_free", None, [p]), (llama, "llama_free", None, [p]), (llama, "llama_model_get_vocab", p, [p]),
            (llama, "llama_vocab_n_tokens", i, [p]), (llama, "llama_decode", i, [p, Batch]), (llama, "llama_get_logits_ith", p, [p, i]),
            (llama, "llama_model_quantize", u, [s, s, ctypes.POINTER(QuantizeParams)]),
            (base, "ggml_get_type_traits", ctypes.POINTER(TypeTraits), [i]), (base, "ggml_quantize_chunk", ctypes.c_size_t, [i, p, p, n, n, n, p]),
            (ggml, "ggml_backend_load_all_from_path", None, [s])):
        function = getattr(lib, name)
        function.restype, function.argtypes = result, arguments
    llama.llama_log_set(_quiet, None)
    ggml.ggml_backend_load_all_from_path(folder.encode())
    llama.llama_backend_init()
    defaults = llama.llama_context_default_params()
    if (defaults.batch, defaults.micro_batch, defaults.key_type, defaults.offload_cache) != (2048, 512, 1, True):
        raise Unavailable(f"the library in {folder} is of another release: its structures differ")
    _loaded = (llama, base)
    return _loaded


# ------------------------------------------------------------------ whole files

def quantize(source, kind, target, pure=False, types=None):
    """`types`, regular expressions of tensor names to TENSOR_TYPES, go before what the kind would give."""
    llama, _ = libraries()
    patterns = [(ctypes.create_string_buffer(pattern.encode()), TENSOR_TYPES[type]) for pattern, type in (types or {}).items()]
    overrides = (TensorOverride * (len(patterns) + 1))(*[(ctypes.addressof(pattern), type) for pattern, type in patterns])
    options = llama.llama_model_quantize_default_params()
    options.threads, options.file_type, options.pure, options.requantize = 1, FILE_TYPES[kind], pure, True
    if patterns:
        options.tensor_overrides = ctypes.addressof(overrides)
    if llama.llama_model_quantize(source.encode(), target.encode(), ctypes.byref(options)) != 0:
        raise RuntimeError(f"llama.cpp does not quantize {source} to {kind}")


def logits(path, ids, threads=2, cache="F32", flash=False):
    """After each id: float32, [ids, vocabulary]. Cache and attention are by default as exact as they get."""
    llama, _ = libraries()
    options = llama.llama_model_default_params()
    options.gpu_layers = 0
    model = llama.llama_model_load_from_file(path.encode(), options)
    if not model:
        raise RuntimeError("llama.cpp does not load " + path)
    count = len(ids)
    settings = llama.llama_context_default_params()
    settings.context = settings.batch = settings.outputs = max(count + 8, 64)
    settings.threads = settings.batch_threads = threads
    settings.key_type = settings.value_type = TENSOR_TYPES[cache]
    settings.flash_attention = 1 if flash else 0
    settings.full_window_cache = True
    context = llama.llama_init_from_model(model, settings)
    if not context:
        raise RuntimeError("llama.cpp makes no context for " + path)
    vocabulary = llama.llama_vocab_n_tokens(llama.llama_model_get_vocab(model))
    whole = ctypes.c_int32 * count
    first = (ctypes.c_int32 * 1)(0)
    arrays = [whole(*ids), None, whole(*range(count)), whole(*[1] * count), (ctypes.c_void_p * count)(*[ctypes.addressof(first)] * count),
              (ctypes.c_int8 * count)(*[1] * count)]
    batch = Batch(count, *[None if a is None else ctypes.addressof(a) for a in arrays])
    if llama.llama_decode(context, batch) != 0:
        raise RuntimeError("llama.cpp does not compute " + path)
    out = numpy.empty((count, vocabulary), numpy.float32)
    for row in range(count):
        ctypes.memmove(out[row].ctypes.data, llama.llama_get_logits_ith(context, row), 4 * vocabulary)
    llama.llama_free(context)
    llama.llama_model_free(model)
    return out


# ------------------------------------------------------------------ single rows

def quantize_rows(kind, values):
    """Rows of float32 numbers to their stored bytes, [rows, bytes]."""
    _, base = libraries()
    values = numpy.ascontiguousarray(values, numpy.float32)
    rows, columns = values.shape
    traits = base.ggml_get_type_traits(TENSOR_TYPES[kind]).contents
    out = numpy.empty((rows, columns // traits.block * traits.bytes), numpy.uint8)
    written = base.ggml_quantize_chunk(TENSOR_TYPES[kind], values.ctypes.data, out.ctypes.data, 0, rows, columns, None)
    assert written == out.size, (kind, written, out.size)
    return out


def expand_rows(kind, stored, columns):
    """Stored bytes, [rows, bytes], to float32, [rows, columns]."""
    if kind == "F32":
        return numpy.ascontiguousarray(stored).view(numpy.float32)
    _, base = libraries()
    to_float = TO_FLOAT(base.ggml_get_type_traits(TENSOR_TYPES[kind]).contents.to_float)
    stored = numpy.ascontiguousarray(stored)
    out = numpy.empty((len(stored), columns), numpy.float32)
    for row, numbers in zip(stored, out):
        to_float(row.ctypes.data, numbers.ctypes.data, columns)
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", help="folder of libllama and libggml")
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("quantize")
    command.add_argument("source")
    command.add_argument("type", choices=FILE_TYPES)
    command.add_argument("target")
    command.add_argument("--pure", action="store_true")
    command = commands.add_parser("logits")
    command.add_argument("model")
    command.add_argument("--ids", required=True)
    command.add_argument("--out", required=True)
    command.add_argument("--cache", choices=("F32", "F16"), default="F32")
    command.add_argument("--flash", action="store_true", help="fused attention, in half precision")
    words = parser.parse_args()
    try:
        libraries(words.library)
    except Unavailable as reason:
        print(f"skipped: llama.cpp is not available: {reason}", file=sys.stderr)
        sys.exit(SKIPPED)
    if words.command == "quantize":
        quantize(words.source, words.type, words.target, words.pure)
    else:
        numpy.save(words.out, logits(words.model, [int(i) for i in words.ids.split(",")], cache=words.cache, flash=words.flash))


if __name__ == "__main__":
    main()
