# Fails on an include line that reaches a layer it may not know. ROOT is the repository.
# Each rule: the folder, then the include prefixes that its files may name in quotes.
set(rules
    "engine/api|engine/api/"
    "engine/tensor|engine/api/,engine/tensor/"
    "engine/io|engine/api/,engine/tensor/,engine/io/"
    "engine/model|engine/api/,engine/tensor/,engine/io/,engine/model/"
    "engine/tokenizer|engine/api/,engine/tensor/,engine/io/,engine/tokenizer/"
    "engine/decoding|engine/api/,engine/io/,engine/decoding/"
    "engine/generation|engine/"
    "ui|engine/api/,ui/"
    "app|engine/,ui/,app/")

set(faults "")
foreach(rule IN LISTS rules)
    string(REPLACE "|" ";" parts "${rule}")
    list(GET parts 0 folder)
    list(GET parts 1 allowed)
    string(REPLACE "," ";" allowed "${allowed}")
    file(GLOB_RECURSE files ${ROOT}/${folder}/*.h ${ROOT}/${folder}/*.cpp)
    foreach(file IN LISTS files)
        file(STRINGS ${file} lines REGEX "^[ \t]*#[ \t]*include")
        foreach(line IN LISTS lines)
            if(line MATCHES "<Q[A-Za-z]" AND folder MATCHES "^engine")
                string(APPEND faults "${file}: ${line}: the engine knows nothing of Qt\n")
            endif()
            if(line MATCHES "<(QtWidgets|QtCharts|QtCore|QtGui)>")
                string(APPEND faults "${file}: ${line}: umbrella headers cost seconds a file\n")
            endif()
            if(line MATCHES "\"([^\"]+)\"")
                set(target "${CMAKE_MATCH_1}")
                set(ok FALSE)
                foreach(prefix IN LISTS allowed)
                    string(FIND "${target}" "${prefix}" at)
                    if(at EQUAL 0)
                        set(ok TRUE)
                    endif()
                endforeach()
                # Qt's own generated files name no layer.
                if(NOT ok AND NOT target MATCHES "\\.moc$|^moc_")
                    string(APPEND faults "${file}: includes \"${target}\", which ${folder} may not know\n")
                endif()
            endif()
        endforeach()
    endforeach()
endforeach()
if(faults)
    message(FATAL_ERROR "${faults}")
endif()
