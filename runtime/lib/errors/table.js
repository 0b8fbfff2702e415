'use strict';

// The coded errors whose message is a sentence with gaps: code, class (the first of several is the usual one), message.
// %s, %d and %j stand for an argument each. The table is text and not objects, so that a program without errors parses
// none of it. Messages that have to be computed are in internal/errors/message_texts.

module.exports = `
ERR_AMBIGUOUS_ARGUMENT TypeError The "%s" argument is ambiguous. %s
ERR_ARG_NOT_ITERABLE TypeError %s must be iterable
ERR_ASSERTION Error %s
ERR_ASYNC_CALLBACK TypeError %s must be a function
ERR_ASYNC_TYPE TypeError Invalid name for async "type": %s
ERR_BROTLI_INVALID_PARAM RangeError %s is not a valid Brotli parameter
ERR_BUFFER_TOO_LARGE RangeError Cannot create a Buffer larger than %s bytes
ERR_CANNOT_WATCH_SIGINT Error Cannot watch for SIGINT signals
ERR_CHILD_CLOSED_BEFORE_REPLY Error Child closed before reply received
ERR_CHILD_PROCESS_IPC_REQUIRED Error Forked processes must have an IPC channel, missing value 'ipc' in %s
ERR_CHILD_PROCESS_STDIO_MAXBUFFER RangeError %s maxBuffer length exceeded
ERR_CONSOLE_WRITABLE_STREAM TypeError Console expects a writable stream instance for %s
ERR_CONSTRUCT_CALL_REQUIRED TypeError Class constructor %s cannot be invoked without \`new\`
ERR_CRYPTO_ECDH_INVALID_FORMAT TypeError Invalid ECDH format: %s
ERR_CRYPTO_ECDH_INVALID_PUBLIC_KEY Error Public key is not valid for specified curve
ERR_CRYPTO_HASH_FINALIZED Error Digest already called
ERR_CRYPTO_HASH_UPDATE_FAILED Error Hash update failed
ERR_CRYPTO_INCOMPATIBLE_KEY Error Incompatible %s: %s
ERR_CRYPTO_INVALID_DIGEST TypeError Invalid digest: %s
ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE TypeError Invalid key object type %s, expected %s.
ERR_CRYPTO_INVALID_STATE Error Invalid state for operation %s
ERR_CRYPTO_SCRYPT_NOT_SUPPORTED Error Scrypt algorithm not supported
ERR_CRYPTO_SIGN_KEY_REQUIRED Error No key provided to sign
ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH RangeError Input buffers must have the same byte length
ERR_CRYPTO_UNKNOWN_CIPHER Error Unknown cipher
ERR_CRYPTO_UNKNOWN_DH_GROUP Error Unknown DH group
ERR_DIR_CLOSED Error Directory handle was closed
ERR_DIR_CONCURRENT_OPERATION Error Cannot do synchronous work on directory handle with concurrent asynchronous operations
ERR_DNS_SET_SERVERS_FAILED Error c-ares failed to set servers: "%s" [%s]
ERR_DUPLICATE_STARTUP_SNAPSHOT_MAIN_FUNCTION Error Deserialize main function is already configured.
ERR_EVAL_ESM_CANNOT_PRINT Error --print cannot be used with ESM input
ERR_EVENT_RECURSION Error The event "%s" is already being dispatched
ERR_FEATURE_NOT_AVAILABLE Error %s is not available in this runtime
ERR_FEATURE_UNAVAILABLE_ON_PLATFORM TypeError The feature %s is unavailable on the current platform, which is being used to run Node.js
ERR_FS_CP_DIR_TO_NON_DIR SystemError Cannot overwrite non-directory with directory
ERR_FS_CP_EEXIST SystemError Target already exists
ERR_FS_CP_EINVAL SystemError Invalid src or dest
ERR_FS_CP_FIFO_PIPE SystemError Cannot copy a FIFO pipe
ERR_FS_CP_NON_DIR_TO_DIR SystemError Cannot overwrite directory with non-directory
ERR_FS_CP_SOCKET SystemError Cannot copy a socket file
ERR_FS_CP_SYMLINK_TO_SUBDIRECTORY SystemError Cannot overwrite symlink in subdirectory of self
ERR_FS_CP_UNKNOWN SystemError Cannot copy an unknown file type
ERR_FS_EISDIR SystemError Path is a directory
ERR_FS_FILE_TOO_LARGE RangeError File size (%s) is greater than 2 GiB
ERR_FS_INVALID_SYMLINK_TYPE Error Symlink type must be one of "dir", "file", or "junction". Received "%s"
ERR_FS_WATCH_QUEUE_OVERFLOW Error fs.watch() queued more than %d events
ERR_HTTP_BODY_NOT_ALLOWED Error Adding content for this request method or response status is not allowed.
ERR_HTTP_CONTENT_LENGTH_MISMATCH Error Response body's content-length of %s byte(s) does not match the content-length of %s byte(s) set in header
ERR_HTTP_HEADERS_SENT Error Cannot %s headers after they are sent to the client
ERR_HTTP_INVALID_HEADER_VALUE TypeError Invalid value "%s" for header "%s"
ERR_HTTP_INVALID_STATUS_CODE RangeError Invalid status code: %s
ERR_HTTP_REQUEST_TIMEOUT Error Request timeout
ERR_HTTP_SOCKET_ASSIGNED Error ServerResponse has an already assigned socket
ERR_HTTP_SOCKET_ENCODING Error Changing the socket encoding is not allowed per RFC7230 Section 3.
ERR_HTTP_TRAILER_INVALID Error Trailers are invalid with this transfer encoding
ERR_ILLEGAL_CONSTRUCTOR TypeError Illegal constructor
ERR_IMPORT_ATTRIBUTE_MISSING TypeError Module "%s" needs an import attribute of "%s: %s"
ERR_IMPORT_ATTRIBUTE_TYPE_INCOMPATIBLE TypeError Module "%s" is not of type "%s"
ERR_IMPORT_ATTRIBUTE_UNSUPPORTED TypeError Import attribute "%s" with value "%s" is not supported in %s
ERR_INCOMPATIBLE_OPTION_PAIR TypeError Option "%s" cannot be used in combination with option "%s"
ERR_INPUT_TYPE_NOT_ALLOWED Error --input-type can only be used with string input via --eval, --print, or STDIN
ERR_INSPECTOR_NOT_AVAILABLE Error Inspector is not available
ERR_INVALID_ADDRESS Error Invalid address
ERR_INVALID_ASYNC_ID RangeError Invalid %s value: %s
ERR_INVALID_BUFFER_SIZE RangeError Buffer size must be a multiple of %s
ERR_INVALID_CURSOR_POS TypeError Cannot set cursor row without setting its column
ERR_INVALID_FD RangeError "fd" must be a positive integer: %s
ERR_INVALID_FD_TYPE TypeError Unsupported fd type: %s
ERR_INVALID_FILE_URL_HOST TypeError File URL host must be "localhost" or empty on %s
ERR_INVALID_HANDLE_TYPE TypeError This handle type cannot be sent
ERR_INVALID_HTTP_TOKEN TypeError %s must be a valid HTTP token ["%s"]
ERR_INVALID_IP_ADDRESS TypeError Invalid IP address: %s
ERR_INVALID_MODULE TypeError Invalid module "%s"
ERR_INVALID_OBJECT_DEFINE_PROPERTY TypeError %s
ERR_INVALID_PROTOCOL TypeError Protocol "%s" not supported. Expected "%s"
ERR_INVALID_STATE Error,TypeError,RangeError Invalid state: %s
ERR_INVALID_SYNC_FORK_INPUT TypeError Asynchronous forks do not support Buffer, TypedArray, DataView or string input: %s
ERR_INVALID_THIS TypeError Value of "this" must be of type %s
ERR_INVALID_TUPLE TypeError %s must be an iterable %s tuple
ERR_INVALID_TYPESCRIPT_SYNTAX SyntaxError %s
ERR_INVALID_URI URIError URI malformed
ERR_INVALID_URL_PATTERN TypeError Invalid URL pattern
ERR_IPC_CHANNEL_CLOSED Error Channel closed
ERR_IPC_DISCONNECTED Error IPC channel is already disconnected
ERR_IPC_ONE_PIPE Error Child process can have only one IPC pipe
ERR_IPC_SYNC_FORK Error IPC cannot be used with synchronous forks
ERR_IP_BLOCKED Error IP(%s) is blocked by net.BlockList
ERR_LOADER_CHAIN_INCOMPLETE Error "%s" did not call the next hook in its chain and did not explicitly signal a short circuit. If this is intentional, include \`shortCircuit: true\` in the hook's return.
ERR_METHOD_NOT_IMPLEMENTED Error The %s method is not implemented
ERR_MISSING_OPTION TypeError %s is required
ERR_MULTIPLE_CALLBACK Error Callback called multiple times
ERR_NETWORK_IMPORT_DISALLOWED Error import of '%s' by %s is not supported: %s
ERR_NOT_BUILDING_SNAPSHOT Error Operation cannot be invoked when not building startup snapshot
ERR_NOT_SUPPORTED_IN_SNAPSHOT Error %s is not supported in startup snapshot
ERR_NO_CRYPTO Error Node.js is not compiled with OpenSSL crypto support
ERR_NO_ICU TypeError %s is not supported on Node.js compiled without ICU
ERR_NOT_IN_SINGLE_EXECUTABLE_APPLICATION Error Operation cannot be invoked when not in a single-executable application
ERR_OPERATION_FAILED Error,TypeError Operation failed: %s
ERR_OPTION_NOT_AVAILABLE Error %s is not available
ERR_PACKAGE_MAP_EXTERNAL_FILE Error Cannot resolve "%s" from "%s": file is not within any package defined in %s
ERR_PACKAGE_MAP_INVALID SyntaxError Invalid package-map.json at "%s": %s
ERR_PACKAGE_MAP_KEY_NOT_FOUND Error Package key "%s" referenced in dependencies but not defined in %s
ERR_PARSE_ARGS_INVALID_OPTION_VALUE TypeError %s
ERR_PERFORMANCE_INVALID_TIMESTAMP TypeError %d is not a valid timestamp
ERR_PERFORMANCE_MEASURE_INVALID_OPTIONS TypeError %s
ERR_PROCESS_EXECVE_FAILED Error process.execve failed with error code %s
ERR_REQUIRE_ASYNC_MODULE Error require() cannot be used on an ESM graph with top-level await. Use import() instead.%s
ERR_REQUIRE_CYCLE_MODULE Error %s
ERR_SCRIPT_EXECUTION_INTERRUPTED Error Script execution was interrupted by \`SIGINT\`
ERR_SERVER_ALREADY_LISTEN Error Listen method has been called more than once without closing.
ERR_SERVER_NOT_RUNNING Error Server is not running.
ERR_SOCKET_ALREADY_BOUND Error Socket is already bound
ERR_SOCKET_BAD_BUFFER_SIZE TypeError Buffer size must be a positive integer
ERR_SOCKET_BAD_TYPE TypeError Bad socket type specified. Valid types are: udp4, udp6
ERR_SOCKET_BUFFER_SIZE SystemError Could not get or set buffer size
ERR_SOCKET_CLOSED Error Socket is closed
ERR_SOCKET_CLOSED_BEFORE_CONNECTION Error Socket closed before the connection was established
ERR_SOCKET_CONNECTION_TIMEOUT Error Socket connection timeout
ERR_SOCKET_DGRAM_IS_CONNECTED Error Already connected
ERR_SOCKET_DGRAM_NOT_CONNECTED Error Not connected
ERR_SOCKET_DGRAM_NOT_RUNNING Error Not running
ERR_SOURCE_PHASE_NOT_DEFINED SyntaxError Source phase import object is not defined for module '%s'
ERR_SRI_PARSE SyntaxError Subresource Integrity string %j had an unexpected %j at position %d
ERR_STREAM_ALREADY_FINISHED Error Cannot call %s after a stream was finished
ERR_STREAM_CANNOT_PIPE Error Cannot pipe, not readable
ERR_STREAM_DESTROYED Error Cannot call %s after a stream was destroyed
ERR_STREAM_ITER_MISSING_FLAG TypeError %s
ERR_STREAM_NULL_VALUES TypeError May not write null values to stream
ERR_STREAM_PREMATURE_CLOSE Error Premature close
ERR_STREAM_PUSH_AFTER_EOF Error stream.push() after EOF
ERR_STREAM_UNABLE_TO_PIPE Error Cannot pipe to a closed or destroyed stream
ERR_STREAM_UNSHIFT_AFTER_END_EVENT Error stream.unshift() after end event
ERR_STREAM_WRAP Error Stream has StringDecoder set or is in objectMode
ERR_STREAM_WRITE_AFTER_END Error write after end
ERR_SYNTHETIC Error JavaScript Callstack
ERR_SYSTEM_ERROR SystemError A system error occurred
ERR_TRACE_EVENTS_CATEGORY_REQUIRED TypeError At least one category is required
ERR_TRACE_EVENTS_UNAVAILABLE Error Trace events are unavailable
ERR_TTY_INIT_FAILED SystemError TTY initialization failed
ERR_UNAVAILABLE_DURING_EXIT Error Cannot call function in process exit handler
ERR_UNCAUGHT_EXCEPTION_CAPTURE_ALREADY_SET Error \`process.setupUncaughtExceptionCapture()\` was called while a capture callback was already active
ERR_UNESCAPED_CHARACTERS TypeError %s contains unescaped characters
ERR_UNKNOWN_BUILTIN_MODULE Error No such built-in module: %s
ERR_UNKNOWN_CREDENTIAL Error %s identifier does not exist: %s
ERR_UNKNOWN_ENCODING TypeError Unknown encoding: %s
ERR_UNKNOWN_MODULE_FORMAT RangeError Unknown module format: %s for URL %s
ERR_UNKNOWN_SIGNAL TypeError Unknown signal: %s
ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX SyntaxError %s
ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING Error Stripping types is currently unsupported for files under node_modules, for "%s"
ERR_UNSUPPORTED_RESOLVE_REQUEST TypeError Failed to resolve module specifier "%s" from "%s": Invalid relative URL or base scheme is not hierarchical.
ERR_USE_AFTER_CLOSE Error %s was closed
ERR_VALID_PERFORMANCE_ENTRY_TYPE Error At least one valid performance entry type is required
ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING TypeError A dynamic import callback was not specified.
ERR_VM_MODULE_LINK_FAILURE Error %s
ERR_WEBASSEMBLY_NOT_SUPPORTED Error WebAssembly is not supported in this environment, but is required for %s
ERR_WASI_ALREADY_STARTED Error WASI instance has already started
ERR_WASI_NOT_STARTED Error wasi.start() has not been called
ERR_WORKER_INIT_FAILED Error Worker initialization failure: %s
ERR_WORKER_NOT_RUNNING Error Worker instance not running
ERR_WORKER_OUT_OF_MEMORY Error Worker terminated due to reaching memory limit: %s
ERR_WORKER_UNSERIALIZABLE_ERROR Error Serializing an uncaught exception failed
ERR_WORKER_UNSUPPORTED_OPERATION TypeError %s is not supported in workers
ERR_ZLIB_INITIALIZATION_FAILED Error Initialization failed
`;
